package io.github.steadyjobs.audit;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

import io.github.steadyjobs.audit.AuditStore.Entry;
import io.github.steadyjobs.redis.QueuePart;
import org.jspecify.annotations.Nullable;

/**
 * The rules of an audit. Values are checked because a value that a script cannot read
 * makes the script fail, and this stops the queue.
 */
final class AuditRules {

	private static final Pattern JOB_ID = Pattern.compile("[0-9a-f]{24}");

	private static final Pattern NUMBER = Pattern.compile("\\d+");

	private static final Map<QueuePart, Pattern> VALUES = Map.of(QueuePart.BEATS, Pattern.compile("\\d+|FENCED"),
			QueuePart.CALLS, Pattern.compile("(?s)\\d+ \\d+ .*"), QueuePart.STATS, Pattern.compile("-?\\d+"),
			QueuePart.CRASHES, Pattern.compile("(?s)\\d+ .*"), QueuePart.SINCE,
			Pattern.compile("\\d+(\\.\\d+)?(e\\+?\\d+)?"), QueuePart.LOCKS,
			Pattern.compile("[0-9a-f]{24}[0-9a-f]+[ueaw]"), QueuePart.LOCKOF,
			Pattern.compile("[ueawmn][0-9a-f]+ \\S+( \\S+)?"), QueuePart.AGAIN,
			Pattern.compile("(?s)[0-9a-f]+ [0-9a-f]+ .*"), QueuePart.GATHERED, Pattern.compile("(?s)\\d+ .*"),
			QueuePart.BACKLOGGED, Pattern.compile("(?s)[0-9a-f]+ \\d+ \\d+ -?\\d+ -?\\d+|[0-9a-f]{10}\\S+ .*|\\{.*"));

	private static final Map<String, Pattern> OF_META = Map.of("schema", NUMBER, "sweep", NUMBER, "seq", NUMBER,
			"swept", Pattern.compile("\\d+ \\d+"), "backlogs", NUMBER);

	/** The lock, followed by the job that is running or a job that is waiting. */
	private static final Pattern MUTEX = Pattern.compile("\\S+[=:]\\S+");

	private static final Set<QueuePart> MEET_CANCELLED = Set.of(QueuePart.READY, QueuePart.SUSPECTS, QueuePart.WORKING,
			QueuePart.PARKED);

	private static final Pattern CLAIM = Pattern.compile("(?s)\\d+( .*)?");

	private AuditRules() {
	}

	static boolean isJobId(String id) {
		return JOB_ID.matcher(id).matches();
	}

	/** Return whether the lists have to be searched before the entry can be judged. */
	static boolean belongsInList(Entry entry) {
		return (entry.hasPayload() || entry.isCancelled()) && entry.places().isEmpty();
	}

	/** Return whether no script of this library would write this entry. */
	static boolean isBad(QueuePart part, String id, String value) {
		return switch (part) {
			case SCHEDULED, RETRIES, DEAD, WINDOWS -> !isTime(value);
			case MUTEXES -> differs(MUTEX, id);
			case META -> differs(OF_META.get(id), value);
			// A field without a capsule holds a state of the process, or the runs to be
			// interrupted.
			case CLAIMS -> !id.endsWith("/") && !id.endsWith("/!") && differs(CLAIM, value);
			default -> differs(VALUES.get(part), value);
		};
	}

	private static boolean differs(@Nullable Pattern pattern, String value) {
		return pattern != null && !pattern.matcher(value).matches();
	}

	private static boolean isTime(String score) {
		return !score.contains("inf") && !score.contains("nan") && !score.startsWith("-");
	}

	/**
	 * Judge an id by the places in which it was at a single moment.
	 * @param searched whether the lists were searched for the id
	 */
	static Optional<Violation> judge(String queue, Entry entry, boolean searched) {
		String id = entry.id();
		List<QueuePart> places = entry.places();
		String where = places.stream().map(QueuePart::text).collect(Collectors.joining(", "));
		if (places.size() > 1) {
			return found(queue, ViolationKind.SEVERAL_PLACES, id, where);
		}
		if (!entry.hasPayload()) {
			return isToBeMet(entry, searched) ? Optional.empty() : judgeGone(queue, entry, where);
		}
		if (entry.hasUnreadableToken() || entry.belongsToNobody()) {
			return found(queue, ViolationKind.NOBODY_WORKS, id, where);
		}
		if (!isJobId(id) && !places.equals(List.of(QueuePart.DEAD))) {
			return found(queue, ViolationKind.FOREIGN_ID, id, where);
		}
		if (places.isEmpty()) {
			return searched ? found(queue, ViolationKind.NO_PLACE, id, QueuePart.PAYLOADS.text()) : Optional.empty();
		}
		return entry.isCancelled() ? found(queue, ViolationKind.LEFTOVER, id, QueuePart.CANCELLED.text())
				: Optional.empty();
	}

	private static Optional<Violation> judgeGone(String queue, Entry entry, String where) {
		if (!where.isEmpty()) {
			return found(queue, ViolationKind.NO_PAYLOAD, entry.id(), where);
		}
		QueuePart part = entry.isCancelled() ? QueuePart.CANCELLED : QueuePart.CRASHES;
		return (entry.isCancelled() || entry.isCounted())
				? found(queue, ViolationKind.LEFTOVER, entry.id(), part.text()) : Optional.empty();
	}

	/**
	 * Return whether the cancellation of an id will still be noticed, because the id is
	 * parked or being worked on, or is or may be in a list.
	 */
	private static boolean isToBeMet(Entry entry, boolean searched) {
		return entry.isCancelled()
				&& (entry.places().isEmpty() ? !searched : MEET_CANCELLED.containsAll(entry.places()));
	}

	/**
	 * Judge a parked entry that has no other problem. It is a violation if the entry
	 * waits for a job that does not exist.
	 */
	static Optional<Violation> judgeParked(String queue, Entry entry) {
		return entry.isOrphan() ? Optional.of(new Violation(queue, ViolationKind.WAITS_FOR_NOBODY, entry.id(),
				QueuePart.PARKED.text(), entry.value())) : Optional.empty();
	}

	private static Optional<Violation> found(String queue, ViolationKind kind, String id, String where) {
		return Optional.of(new Violation(queue, kind, id, where, ""));
	}

}
