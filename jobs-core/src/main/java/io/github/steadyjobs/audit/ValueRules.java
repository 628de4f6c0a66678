package io.github.steadyjobs.audit;

import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;

import io.github.steadyjobs.redis.AuditPage;
import io.github.steadyjobs.redis.Mending;
import io.github.steadyjobs.redis.QueuePart;
import org.jspecify.annotations.Nullable;

/**
 * What values our scripts write, and what becomes of others. A value that a script cannot
 * read makes it fail, and with it the queue.
 */
final class ValueRules {

	private static final Pattern NUMBER = Pattern.compile("\\d+");

	private static final Map<QueuePart, Pattern> VALUES = Map.of(QueuePart.BEATS, Pattern.compile("\\d+|FENCED"),
			QueuePart.CALLS, Pattern.compile("(?s)\\d+ \\d+ .*"), QueuePart.STATS, Pattern.compile("-?\\d+"),
			QueuePart.CRASHES, Pattern.compile("(?s)\\d+ .*"), QueuePart.SINCE,
			Pattern.compile("\\d+(\\.\\d+)?(e\\+?\\d+)?"), QueuePart.LOCKS,
			Pattern.compile("[0-9a-f]{24}[0-9a-f]+[ueaw]"), QueuePart.LOCKOF,
			Pattern.compile("[ueawmn][0-9a-f]+ \\S+( \\S+)?"), QueuePart.AGAIN,
			Pattern.compile("(?s)[0-9a-f]+ [0-9a-f]+ .*"));

	private static final Map<String, Pattern> OF_META = Map.of("schema", NUMBER, "sweep", NUMBER, "seq", NUMBER);

	/**
	 * What is locked, and the job that runs or the one that waits.
	 */
	private static final Pattern MUTEX = Pattern.compile("\\S+[=:]\\S+");

	private static final Pattern CLAIM = Pattern.compile("(?s)\\d+( .*)?");

	private ValueRules() {
	}

	/**
	 * Return what has to be done about an entry, if it is not as it should be.
	 */
	static Optional<Mending> mending(QueuePart part, AuditPage.Entry entry) {
		return switch (part) {
			case SCHEDULED, RETRIES, DEAD, WINDOWS ->
				isTime(entry.value()) ? Optional.empty() : Optional.of(Mending.RESCORE);
			case MUTEXES -> unless(MUTEX, entry.id(), Mending.REMOVE);
			case META -> unless(OF_META.get(entry.id()), entry.value(), Mending.DROP);
			// A field that names no capsule holds a state of the process.
			case CLAIMS -> unless(entry.id().endsWith("/") ? null : CLAIM, entry.value(), Mending.DROP);
			case BEATS -> unless(VALUES.get(part), entry.value(), Mending.RESTART);
			default -> unless(VALUES.get(part), entry.value(), Mending.DROP);
		};
	}

	private static Optional<Mending> unless(@Nullable Pattern pattern, String value, Mending mending) {
		return (pattern == null || pattern.matcher(value).matches()) ? Optional.empty() : Optional.of(mending);
	}

	private static boolean isTime(String score) {
		return !score.contains("inf") && !score.contains("nan") && !score.startsWith("-");
	}

}
