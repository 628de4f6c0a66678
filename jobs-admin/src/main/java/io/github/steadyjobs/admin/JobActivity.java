package io.github.steadyjobs.admin;

import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ThreadLocalRandom;
import java.util.function.Consumer;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

import io.github.steadyjobs.JobStoreException;
import io.github.steadyjobs.Names;
import io.github.steadyjobs.activity.OperatorChange;
import io.github.steadyjobs.redis.Interrupts;
import io.github.steadyjobs.redis.JobScript;
import io.github.steadyjobs.redis.RedisConnections;
import io.github.steadyjobs.redis.ScriptCall;
import io.github.steadyjobs.redis.StoreCalls;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import org.springframework.util.Assert;

/**
 * Records the changes that operators make through the beans of this library, and who made
 * them. Available as a bean. Thread safe.
 * <p>
 * Each change is logged, recorded in Redis as an action and published as an
 * {@link OperatorAction}. If a change cannot be recorded in Redis, it remains in effect
 * and is logged as a warning. The last {@value #MOST_KEPT} actions are kept. A change to
 * many jobs is a single action, although it is made in steps: each step adds to the count
 * of the action, so the count is right even if the change is not completed.
 * <p>
 * Pauses that workers make, and jobs that an application enqueues or cancels with a
 * {@link io.github.steadyjobs.JobClient}, are not recorded.
 */
public final class JobActivity implements OperatorChange.Listener {

	/** The maximum number of actions that are kept. */
	public static final int MOST_KEPT = 1000;

	static final JobScript NOTE = JobScript.of(JobActivity.class, "note");

	/** Number of entries to search for an earlier copy of the same call. */
	private static final int SEARCHED_FOR_COPIES = 100;

	private static final Pattern ENTRY = Pattern
		.compile("(?s)(\\d{1,15}) ([0-9a-f]+) (\\d{1,15}) (\\d{1,15}) (\\d{1,15}) [0-9a-f,]+\n([^\n]+)\n([^\n]+)(.*)");

	private static final Pattern CURSOR = Pattern.compile("\\d{1,15}|");

	private static final Logger logger = LoggerFactory.getLogger(JobActivity.class);

	private final StoreCalls calls;

	private final JobsActor actor;

	private final Consumer<OperatorAction> events;

	/** Create an activity log. The consumer publishes the events. */
	public JobActivity(RedisConnections connections, String prefix, JobsActor actor, Consumer<OperatorAction> events) {
		this.calls = StoreCalls.of(connections, prefix);
		this.actor = actor;
		this.events = events;
	}

	/**
	 * Read a page of actions, in one round trip. A change to many jobs moves to the first
	 * page with each of its steps.
	 * @param after where to begin: empty for the newest action, or
	 * {@link ActivityPage#next()} of the previous page
	 * @param size the maximum number of actions on the page, 1 to {@value #MOST_KEPT}
	 * @throws IllegalArgumentException if the cursor cannot come from a page, or if the
	 * size is out of range
	 * @throws JobStoreException if Redis refused the call, is not reachable or did not
	 * answer
	 */
	public ActivityPage page(String after, int size) {
		Assert.notNull(after, "'after' must not be null; begin with an empty text");
		Assert.isTrue(CURSOR.matcher(after).matches(),
				() -> "'after' must be 'next' of the previous page, but is '" + after + "'");
		Assert.isTrue(size >= 1 && size <= MOST_KEPT, () -> "'size' must be 1 to " + MOST_KEPT + ", but is " + size);
		// Newer entries may have been added since, so the entry at the cursor may have
		// moved.
		int last = after.isEmpty() ? size : MOST_KEPT - 1;
		List<Object> stored = this.calls.commands().range(this.calls.keys().activity(), 0, last);
		List<Entry> entries = stored.stream()
			.map(Entry::parse)
			.filter(Objects::nonNull)
			.filter((entry) -> after.isEmpty() || entry.number() < Long.parseLong(after))
			.toList();
		List<Entry> shown = entries.subList(0, Math.min(size, entries.size()));
		boolean hasNext = entries.size() > size || (after.isEmpty() && stored.size() > size);
		return new ActivityPage(shown.stream().map(Entry::action).toList(),
				(hasNext && !shown.isEmpty()) ? Long.toString(shown.get(shown.size() - 1).number()) : "");
	}

	@Override
	public void changed(OperatorChange change) {
		String who = this.actor.name(change.by());
		Map<String, String> target = new LinkedHashMap<>();
		change.target().forEach((name, value) -> target.put(name, Names.printable(value)));
		logger.info("{}: {} {}", who, change.message(), target);
		String id = (change.bulk() != null) ? change.bulk() : newId();
		Instant at = note(id, change, content(who, change.action(), target));
		try {
			this.events.accept(new OperatorAction(id, who, change.action(), target, change.count(), at, at));
		}
		catch (RuntimeException ex) {
			logger.warn("A listener of operators' actions has failed", ex);
		}
	}

	private Instant note(String id, OperatorChange change, String content) {
		ScriptCall call = ScriptCall.on(NOTE, this.calls.keys().activity())
			.add(id)
			.add(newId())
			.add(change.count())
			.addText(content)
			.add((change.bulk() != null) ? MOST_KEPT : SEARCHED_FOR_COPIES);
		try {
			return Instant.ofEpochMilli(Interrupts.postpone(() -> this.calls.number(call)));
		}
		catch (JobStoreException ex) {
			logger.warn("This was done, but could not be noted in Redis: {}, {} changed", content.replace('\n', ' '),
					change.count(), ex);
			return Instant.now();
		}
	}

	/** Return the content of an entry. No name or value contains a line break. */
	private static String content(String who, String action, Map<String, String> target) {
		return who + "\n" + action
				+ target.entrySet()
					.stream()
					.map((value) -> "\n" + value.getKey() + " " + value.getValue())
					.collect(Collectors.joining());
	}

	/** Return a random id for a change or a call: 12 hex digits. */
	static String newId() {
		return HexFormat.of().toHexDigits(ThreadLocalRandom.current().nextLong(), 12);
	}

	/**
	 * An entry of the list.
	 *
	 * @param number the number of the entry, which is greater than the numbers of older
	 * entries
	 */
	private record Entry(long number, OperatorAction action) {

		/** Return an entry; {@code null} if another program has written the element. */
		private static @Nullable Entry parse(Object stored) {
			Matcher entry = ENTRY.matcher(new String((byte[]) stored, StandardCharsets.UTF_8));
			if (!entry.matches()) {
				return null;
			}
			Map<String, String> target = new LinkedHashMap<>();
			entry.group(8).lines().filter((line) -> !line.isEmpty()).forEach((line) -> {
				String[] value = line.split(" ", 2);
				target.put(value[0], (value.length > 1) ? value[1] : "");
			});
			return new Entry(number(entry, 1),
					new OperatorAction(entry.group(2), entry.group(6), entry.group(7), target, number(entry, 5),
							Instant.ofEpochMilli(number(entry, 3)), Instant.ofEpochMilli(number(entry, 4))));
		}

		private static long number(Matcher entry, int group) {
			return Long.parseLong(entry.group(group));
		}

	}

}
