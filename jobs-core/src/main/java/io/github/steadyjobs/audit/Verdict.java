package io.github.steadyjobs.audit;

import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

import io.github.steadyjobs.redis.AuditPage;
import io.github.steadyjobs.redis.JobState;
import io.github.steadyjobs.redis.QueuePart;

/**
 * Decides from where an id was at one moment whether a rule is broken.
 */
final class Verdict {

	private static final Pattern JOB_ID = Pattern.compile("[0-9a-f]{24}");

	private final String queue;

	Verdict(String queue) {
		this.queue = queue;
	}

	static boolean isJobId(String id) {
		return JOB_ID.matcher(id).matches();
	}

	/**
	 * Return whether the lists have to be searched before anything can be said.
	 */
	static boolean belongsInList(JobState state) {
		return (state.hasPayload() || state.isCancelled()) && state.places().isEmpty();
	}

	/**
	 * Judge an id.
	 * @param searched whether the lists were searched for the id
	 */
	Optional<Violation> on(String id, JobState state, boolean searched) {
		List<QueuePart> places = state.places();
		if (places.size() > 1) {
			return violation(ViolationKind.SEVERAL_PLACES, id, text(places));
		}
		if (!state.hasPayload()) {
			return state.isCancelled() ? onCancelled(id, places, searched) : onGone(id, state, places);
		}
		if (state.isCancelled()) {
			return violation(ViolationKind.LEFTOVER, id, QueuePart.CANCELLED.text());
		}
		if (state.hasUnreadableToken() || state.belongsToNobody()) {
			return violation(ViolationKind.NOBODY_WORKS, id, text(places));
		}
		if (!isJobId(id)) {
			return places.equals(List.of(QueuePart.DEAD)) ? Optional.empty()
					: violation(ViolationKind.FOREIGN_ID, id, text(places));
		}
		return (places.isEmpty() && searched) ? violation(ViolationKind.NO_PLACE, id, QueuePart.PAYLOADS.text())
				: Optional.empty();
	}

	/**
	 * Judge an entry of which the id alone tells nothing wrong: whether a parked job
	 * waits for one that is not there.
	 */
	static Optional<Violation> onParked(String queue, AuditPage.Entry entry) {
		return entry.state().isOrphan() ? Optional.of(new Violation(queue, ViolationKind.WAITS_FOR_NOBODY, entry.id(),
				QueuePart.PARKED.text(), entry.value())) : Optional.empty();
	}

	private Optional<Violation> onCancelled(String id, List<QueuePart> places, boolean searched) {
		// It waits to be met, which happens to what is ready or worked on.
		boolean waits = places.isEmpty() ? !searched : places.stream().allMatch(Verdict::meetsCancelled);
		return waits ? Optional.empty() : violation(ViolationKind.LEFTOVER, id, QueuePart.CANCELLED.text());
	}

	private static boolean meetsCancelled(QueuePart place) {
		return place == QueuePart.READY || place == QueuePart.SUSPECTS || place == QueuePart.WORKING;
	}

	private Optional<Violation> onGone(String id, JobState state, List<QueuePart> places) {
		if (!places.isEmpty()) {
			return violation(ViolationKind.NO_PAYLOAD, id, text(places));
		}
		return state.isCounted() ? violation(ViolationKind.LEFTOVER, id, QueuePart.CRASHES.text()) : Optional.empty();
	}

	private Optional<Violation> violation(ViolationKind kind, String id, String where) {
		return Optional.of(new Violation(this.queue, kind, id, where, ""));
	}

	private static String text(List<QueuePart> places) {
		return places.stream().map(QueuePart::text).collect(Collectors.joining(", "));
	}

}
