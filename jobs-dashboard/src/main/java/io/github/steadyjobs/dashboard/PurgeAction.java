package io.github.steadyjobs.dashboard;

import io.github.steadyjobs.admin.JobAdmin;
import io.github.steadyjobs.admin.JobPlace;
import io.github.steadyjobs.admin.QueueState;

/**
 * Deletes all jobs that a queue has in one place.
 */
final class PurgeAction extends Action {

	static final String NAME = "purge";

	private final Samples samples;

	private final JobAdmin admin;

	PurgeAction(Samples samples, JobAdmin admin) {
		super(NAME, Area.QUEUES, Role.ADMINISTER);
		this.samples = samples;
		this.admin = admin;
	}

	@Override
	Question question(Visit visit) {
		QueueState queue = QueuePage.find(Snapshot.of(this.samples), visit.required("queue"));
		JobPlace place = visit.oneOf("place", JobPlace.class);
		if (place == JobPlace.WORKING) {
			throw RefusedException.badRequest("refused.purge");
		}
		long count = queue.count(place);
		return new Question(NAME, "purge", queue.name(), Words.of("purge." + Visit.text(place)), count)
			.field(Field.hidden("queue", queue.name()))
			.field(Field.hidden("place", Visit.text(place)))
			.cannotBeUndone()
			.backTo(QueuePage.address(queue.name()));
	}

	@Override
	Redirect perform(Visit visit) {
		String queue = visit.required("queue");
		long deleted = this.admin.purge(queue, visit.oneOf("place", JobPlace.class));
		return Redirect.to(Notice.PURGED, QueuePage.NAME, "name", queue).withCount(deleted);
	}

}
