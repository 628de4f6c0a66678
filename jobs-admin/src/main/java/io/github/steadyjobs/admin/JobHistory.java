package io.github.steadyjobs.admin;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;

import io.github.steadyjobs.JobStoreException;
import io.github.steadyjobs.redis.RedisConnections;

import org.springframework.util.Assert;

/**
 * What has run: how often, how it ended and how long it took. It is kept for each job and
 * for all jobs together, by minute for 72 hours and by day for 90 days; the days of all
 * jobs together are kept for five years. Also keeps marks in time, such as deployments,
 * for 90 days.
 * <p>
 * Minutes and days are in UTC, by the clocks of the processes that ran the jobs. A run
 * counts in the minute in which it ended, within about ten seconds. A process that dies
 * loses its last ten seconds, so history is for people: no program should make decisions
 * from it. Jobs appear under the names with which they were stored.
 * <p>
 * Thread safe.
 */
public final class JobHistory {

	/** How long minutes are kept, and so the longest time to ask for. */
	public static final Duration MINUTES_KEPT = HistoryStore.MINUTES_KEPT;

	/** How long the days of each job, and marks, are kept. */
	public static final Duration DAYS_KEPT = HistoryStore.DAYS_KEPT;

	/** How long the days of all jobs together are kept. */
	public static final Duration TOTALS_KEPT = HistoryStore.TOTALS_KEPT;

	/** The most characters that a label has. */
	public static final int LONGEST_LABEL = 200;

	private final HistoryStore store;

	private final Clock clock;

	/**
	 * Create a look at history.
	 * @param connections the connections to use
	 * @param prefix what all keys begin with
	 */
	public JobHistory(RedisConnections connections, String prefix) {
		this(connections, prefix, Clock.systemUTC());
	}

	/**
	 * Create a view of history with another clock.
	 * @param connections the connections to use
	 * @param prefix what all keys begin with
	 * @param clock gives the time of marks, and the end of history
	 */
	public JobHistory(RedisConnections connections, String prefix, Clock clock) {
		this.store = new HistoryStore(connections, prefix);
		this.clock = clock;
	}

	/**
	 * Read the minutes of all jobs together, in one round trip.
	 * @param from the beginning, which counts as that of its minute
	 * @param to the end, 72 hours later at most; the minute that it is in counts
	 * @return the minutes in which something ran or began, by their beginnings
	 * @throws IllegalArgumentException if the end is before the beginning, or too late
	 * @throws JobStoreException if Redis refused, is not reachable or did not answer
	 */
	public SortedMap<Instant, RunTotals> minutes(Instant from, Instant to) {
		return minutesOf(HistoryStore.ALL, from, to);
	}

	/**
	 * Read the minutes of a job, in one round trip.
	 * @param name the name of the job
	 * @param from the beginning, which counts as that of its minute
	 * @param to the end, 72 hours later at most; the minute that it is in counts
	 * @return the minutes in which it ran or began, by their beginnings; empty if there
	 * is no such job
	 * @throws IllegalArgumentException if the end is before the beginning, or too late
	 * @throws JobStoreException if Redis refused, is not reachable or did not answer
	 */
	public SortedMap<Instant, RunTotals> minutes(String name, Instant from, Instant to) {
		checkName(name);
		return minutesOf(name, from, to);
	}

	private SortedMap<Instant, RunTotals> minutesOf(String name, Instant from, Instant to) {
		checkRange(from, to, MINUTES_KEPT);
		return totals(this.store.minutes(name, from.truncatedTo(ChronoUnit.MINUTES), behind(to)));
	}

	/**
	 * Add up minutes by job, in two round trips. Distinguishes up to 1,000 jobs per hour.
	 * @param from the beginning, which counts as that of its minute
	 * @param to the end, 72 hours later at most; the minute that it is in counts
	 * @return the jobs that ran or began, those that took most time first; the totals
	 * also sort by runs and failures
	 * @throws IllegalArgumentException if the end is before the beginning, or too late
	 * @throws JobStoreException if Redis refused, is not reachable or did not answer
	 */
	public List<OfJob> names(Instant from, Instant to) {
		checkRange(from, to, MINUTES_KEPT);
		return this.store.names(from.truncatedTo(ChronoUnit.MINUTES), behind(to), this.clock.instant())
			.entrySet()
			.stream()
			.map((entry) -> new OfJob(entry.getKey(), RunTotals.of(entry.getValue())))
			.sorted(Comparator.comparing((OfJob job) -> job.totals().ran()).reversed().thenComparing(OfJob::name))
			.toList();
	}

	/**
	 * Read the days of all jobs together, in one round trip.
	 * @param from the first day
	 * @param to the last day, 1,830 days later at most
	 * @return the days on which something ran or began
	 * @throws IllegalArgumentException if the last day is before the first, or too late
	 * @throws JobStoreException if Redis refused, is not reachable or did not answer
	 */
	public SortedMap<LocalDate, RunTotals> days(LocalDate from, LocalDate to) {
		checkDays(from, to, TOTALS_KEPT);
		return totals(this.store.days(from, to));
	}

	/**
	 * Read the days of a job, in one round trip.
	 * @param name the name of the job
	 * @param from the first day
	 * @param to the last day, 90 days later at most
	 * @return the days on which it ran or began; empty if there is no such job
	 * @throws IllegalArgumentException if the last day is before the first, or too late
	 * @throws JobStoreException if Redis refused, is not reachable or did not answer
	 */
	public SortedMap<LocalDate, RunTotals> days(String name, LocalDate from, LocalDate to) {
		checkName(name);
		checkDays(from, to, DAYS_KEPT);
		return totals(this.store.days(name, from, to));
	}

	/**
	 * Mark the present, for example because something is deployed. Up to 1,000 marks are
	 * kept, the newest ones.
	 * @param label what has happened, 1 to {@value #LONGEST_LABEL} characters, none of
	 * them a control character
	 * @throws IllegalArgumentException if the label is not like that
	 * @throws JobStoreException if Redis refused, is not reachable or did not answer; the
	 * mark may be made then
	 */
	public void mark(String label) {
		this.store.mark(this.clock.instant(), checkLabel(label), false);
	}

	/**
	 * Mark the present, unless there is a mark with this label. All processes of a
	 * version may call this when they start, and only the first one makes a mark.
	 * @param label what has happened, as for {@link #mark(String)}
	 * @return whether there was no such mark
	 * @throws IllegalArgumentException if the label is not like that
	 * @throws JobStoreException if Redis refused, is not reachable or did not answer; the
	 * mark may be made then
	 */
	public boolean markOnce(String label) {
		return this.store.mark(this.clock.instant(), checkLabel(label), true);
	}

	/**
	 * Read marks, in one round trip.
	 * @param from the beginning
	 * @param to the end, which does not count
	 * @return the marks, the oldest first
	 * @throws IllegalArgumentException if the end is before the beginning
	 * @throws JobStoreException if Redis refused, is not reachable or did not answer
	 */
	public List<Mark> marks(Instant from, Instant to) {
		Assert.isTrue(!to.isBefore(from), () -> "'to' must not be before 'from', but is " + to);
		List<Mark> marks = new ArrayList<>();
		this.store.marks(from, to, (at, label) -> marks.add(new Mark(at, label)));
		return marks;
	}

	/**
	 * Return whether a mark can have a label.
	 * @param label the label
	 * @return whether it has 1 to {@value #LONGEST_LABEL} characters, not all of them
	 * blank, and no control character
	 */
	public static boolean isLabel(String label) {
		return !label.isBlank() && label.length() <= LONGEST_LABEL && label.chars().noneMatch(Character::isISOControl);
	}

	private static <K> SortedMap<K, RunTotals> totals(SortedMap<K, RunCounts> counts) {
		SortedMap<K, RunTotals> totals = new TreeMap<>();
		counts.forEach((key, value) -> totals.put(key, RunTotals.of(value)));
		return totals;
	}

	/**
	 * Return the end of the last requested minute.
	 */
	private static Instant behind(Instant to) {
		Instant minute = to.truncatedTo(ChronoUnit.MINUTES);
		return minute.equals(to) ? minute : minute.plus(1, ChronoUnit.MINUTES);
	}

	private static void checkRange(Instant from, Instant to, Duration longest) {
		Assert.isTrue(!to.isBefore(from), () -> "'to' must not be before 'from', but is " + to);
		Assert.isTrue(Duration.between(from, to).compareTo(longest) <= 0, () -> "'to' must be at most "
				+ longest.toHours() + " hours behind 'from', because older minutes are not kept");
	}

	private static void checkDays(LocalDate from, LocalDate to, Duration longest) {
		Assert.isTrue(!to.isBefore(from), () -> "'to' must not be before 'from', but is " + to);
		Assert.isTrue(ChronoUnit.DAYS.between(from, to) <= longest.toDays(), () -> "'to' must be at most "
				+ longest.toDays() + " days behind 'from', because older days are not kept");
	}

	private static void checkName(String name) {
		Assert.hasText(name, "'name' must be that of a job; leave it out for all jobs together");
	}

	private static String checkLabel(String label) {
		Assert.notNull(label, "'label' must not be null; say what has happened");
		Assert.isTrue(isLabel(label), () -> "'label' must be 1 to %d characters without control characters, but is '%s'"
			.formatted(LONGEST_LABEL, label));
		return label;
	}

	/**
	 * The runs of a job.
	 *
	 * @param name the name of the job
	 * @param totals what has run
	 */
	public record OfJob(String name, RunTotals totals) {

	}

	/**
	 * A mark in time.
	 *
	 * @param at when it was made
	 * @param label what had happened
	 */
	public record Mark(Instant at, String label) {

	}

}
