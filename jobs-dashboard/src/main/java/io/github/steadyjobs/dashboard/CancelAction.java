package io.github.steadyjobs.dashboard;

import java.util.EnumSet;
import java.util.List;
import java.util.Set;

import io.github.steadyjobs.admin.JobAdmin;
import io.github.steadyjobs.admin.JobChange;
import io.github.steadyjobs.admin.JobChange.Outcome;
import io.github.steadyjobs.admin.JobDetails;
import io.github.steadyjobs.admin.JobEntry;
import io.github.steadyjobs.admin.JobPlace;
import io.github.steadyjobs.dashboard.Field.Choice;

/**
 * Cancels a running job and, if the viewer asks for this, interrupts its thread.
 */
final class CancelAction extends OneJobAction {

	static final String NAME = "cancel";

	static final Set<JobPlace> PLACES = EnumSet.of(JobPlace.WORKING);

	CancelAction(JobAdmin admin) {
		super(NAME, Role.ADMINISTER, PLACES, admin);
	}

	@Override
	Question ask(Question question, JobDetails job, Visit visit) {
		return question
			.field(Field.choice("interrupt", Words.of("cancel.run"), List
				.of(new Choice("no", Words.of("cancel.finish")), new Choice("yes", Words.of("cancel.interrupt")))))
			.cannotBeUndone();
	}

	@Override
	JobChange change(JobDetails job, Visit visit) {
		String id = job.job().id();
		if (admin().cancel(id, visit.oneOf("interrupt", Interrupt.NO) == Interrupt.YES)) {
			return new JobChange(Outcome.DONE, "");
		}
		// No run was cancelled. The run may have just ended, and the job may wait for
		// another run.
		return admin().find(id)
			.map((found) -> new JobChange(Outcome.CHANGED, Words.of("refused.cancel")))
			.orElseGet(() -> new JobChange(Outcome.GONE, ""));
	}

	@Override
	Redirect done(JobEntry job) {
		return Redirect.to(Notice.JOB_CANCELLED, Area.RUNNING.page());
	}

	/** Whether to interrupt the run. */
	enum Interrupt {

		NO, YES

	}

}
