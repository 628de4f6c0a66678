package io.github.steadyjobs.dashboard;

import io.github.steadyjobs.admin.JobAction;
import io.github.steadyjobs.admin.JobAdmin;
import io.github.steadyjobs.admin.JobChange;
import io.github.steadyjobs.admin.JobDetails;
import io.github.steadyjobs.admin.JobEntry;

/**
 * Runs, retries, kills or deletes a single job.
 */
final class ChangeAction extends OneJobAction {

	private final JobAction action;

	ChangeAction(JobAdmin admin, JobAction action) {
		super(Visit.text(action), role(action), action.places(), admin);
		this.action = action;
	}

	/** Return the role that a viewer needs for an action. */
	static Role role(JobAction action) {
		return isFinal(action) ? Role.ADMINISTER : Role.OPERATE;
	}

	/** Return whether an action cannot be completely undone. */
	static boolean isFinal(JobAction action) {
		return action == JobAction.KILL || action == JobAction.DELETE;
	}

	@Override
	Question ask(Question question, JobDetails job, Visit visit) {
		return (this.action == JobAction.DELETE) ? question.cannotBeUndone() : question;
	}

	@Override
	JobChange change(JobDetails job, Visit visit) {
		return admin().change(this.action, job.job().id());
	}

	@Override
	Redirect done(JobEntry job) {
		boolean isDeleted = this.action == JobAction.DELETE;
		// An ordered job has the id of its key, but each dead payload has its own id.
		boolean isOrdered = job.payload() != null && job.payload().key() != null;
		return (isDeleted || isOrdered) ? Redirect.to(isDeleted ? Notice.JOB_DELETED : Notice.JOB_CHANGED,
				Area.JOBS.page(), "place", Visit.text(job.place()), "queue", job.queue()) : super.done(job);
	}

}
