package io.github.steadyjobs.dashboard;

import java.util.EnumSet;
import java.util.Set;

import io.github.steadyjobs.admin.JobAdmin;
import io.github.steadyjobs.admin.JobChange;
import io.github.steadyjobs.admin.JobDetails;
import io.github.steadyjobs.admin.JobPlace;
import io.github.steadyjobs.admin.QueueState;

/**
 * Moves one job to another queue.
 */
final class MoveAction extends OneJobAction {

	static final String NAME = "move";

	static final Set<JobPlace> PLACES = EnumSet.complementOf(EnumSet.of(JobPlace.WORKING, JobPlace.SUSPECTS));

	private final Samples samples;

	MoveAction(JobAdmin admin, Samples samples) {
		super(NAME, Role.OPERATE, PLACES, admin);
		this.samples = samples;
	}

	@Override
	Question ask(Question question, JobDetails job, Visit visit) {
		return question.field(Field.text("to", Words.of("move.to"))
			.proposing(this.samples.queues()
				.value()
				.stream()
				.map(QueueState::name)
				.filter((queue) -> !queue.equals(job.job().queue()))
				.toList()));
	}

	@Override
	JobChange change(JobDetails job, Visit visit) {
		return admin().move(job.job().id(), visit.required("to"));
	}

}
