package io.github.steadyjobs.dashboard;

import java.time.Instant;

import io.github.steadyjobs.admin.JobAdmin;
import io.github.steadyjobs.admin.JobChange;
import io.github.steadyjobs.admin.JobDetails;
import io.github.steadyjobs.admin.JobPlace;

/**
 * Changes when a single job is due.
 */
final class RescheduleAction extends OneJobAction {

	static final String NAME = "reschedule";

	RescheduleAction(JobAdmin admin) {
		super(NAME, Role.OPERATE, EditAction.PLACES, admin);
	}

	@Override
	Question ask(Question question, JobDetails job, Visit visit) {
		boolean isDue = job.job().place() == JobPlace.SCHEDULED || job.job().place() == JobPlace.RETRIES;
		Instant due = (isDue && job.job().time() != null) ? job.job().time() : Instant.now();
		return question.field(Field.time("due", Words.of("reschedule.due")).value(Format.time(due, "field")));
	}

	@Override
	JobChange change(JobDetails job, Visit visit) {
		Instant due = visit.time("due");
		if (due == null) {
			throw RefusedException.badRequest("refused.missing", "due");
		}
		return admin().reschedule(job.job().id(), due);
	}

}
