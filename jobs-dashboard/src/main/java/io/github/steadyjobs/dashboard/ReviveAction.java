package io.github.steadyjobs.dashboard;

import java.util.Objects;

import io.github.steadyjobs.JobStoreException;
import io.github.steadyjobs.admin.OrderedJobs;

/**
 * Enqueues the dead payloads of a key again.
 */
final class ReviveAction extends Action {

	private static final String NAME = "revive";

	private final OrderedJobs ordered;

	ReviveAction(OrderedJobs ordered) {
		super(NAME, Area.ORDERED, Role.OPERATE);
		this.ordered = ordered;
	}

	static String address(String queue, OrderedPage.Dead dead) {
		return Address.of(NAME, "queue", queue, "job", Objects.requireNonNull(dead.latest().entry().payload()).name(),
				"key", dead.key());
	}

	@Override
	Question question(Visit visit) {
		String queue = visit.required("queue");
		String job = visit.required("job");
		String key = visit.required("key");
		return new Question(NAME, NAME, Plain.line(key), Plain.line(job)).field(Field.hidden("queue", queue))
			.field(Field.hidden("job", job))
			.field(Field.hidden("key", key))
			.backTo(OrderedPage.address(queue));
	}

	@Override
	Redirect perform(Visit visit) {
		String queue = visit.required("queue");
		try {
			int revived = this.ordered.reviveKey(visit.required("job"), visit.required("key"));
			return Redirect.to(Notice.REVIVED, Area.ORDERED.page(), "queue", queue).withCount(revived);
		}
		catch (JobStoreException ex) {
			if (ex.reason() != JobStoreException.Reason.KEY_FULL) {
				throw ex;
			}
			throw RefusedException.conflict(String.valueOf(ex.getMessage())).backTo(OrderedPage.address(queue));
		}
	}

}
