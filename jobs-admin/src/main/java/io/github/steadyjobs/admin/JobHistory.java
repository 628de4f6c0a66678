package io.github.steadyjobs.admin;

import java.nio.charset.StandardCharsets;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.function.BiConsumer;
import java.util.stream.IntStream;
import java.util.stream.Stream;

import io.github.steadyjobs.JobStoreException;
import io.github.steadyjobs.redis.Answers;
import io.github.steadyjobs.redis.JobScript;
import io.github.steadyjobs.redis.RedisConnections;
import io.github.steadyjobs.redis.ScriptCall;
import io.github.steadyjobs.redis.StoreCalls;
import org.jspecify.annotations.Nullable;

import org.springframework.util.Assert;

/**
 * Shows how often jobs have run, how the runs ended and how long they took, for each job
 * and for all jobs combined. Per-minute totals are kept for 72 hours and daily totals for
 * 90 days; daily totals of all jobs combined are kept for five years. Marks on the
 * timeline, for example for deployments, are kept for 90 days.
 * <p>
 * Minutes and days are in UTC, by the clocks of the processes that ran the jobs. A run
 * counts in the minute in which it ended, and appears within about ten seconds. If a
 * process dies, its last ten seconds are lost. So history is for display: no program
 * should base decisions on it. Jobs appear under the names with which they were stored.
 * <p>
 * Minutes are read from the minute that contains {@code from} up to the minute that
 * contains {@code to} or ends at {@code to}, at most 72 hours later. Days are read from
 * {@code from} to {@code to}, both included. Each method throws an
 * {@link IllegalArgumentException} if {@code to} is before {@code from} or too long after
 * it, and a {@link JobStoreException} if Redis refused a request, is not reachable or did
 * not answer. In this case, a mark may have been set nevertheless.
 * <p>
 * Thread safe.
 */
public final class JobHistory {

	/**
	 * How long per-minute totals are kept, and the longest time range that can be
	 * queried.
	 */
	public static final Duration MINUTES_KEPT = Duration.ofHours(72);

	/** How long the daily totals of each job, and marks, are kept. */
	public static final Duration DAYS_KEPT = Duration.ofDays(90);

	/** How long the daily totals of all jobs combined are kept. */
	public static final Duration TOTALS_KEPT = Duration.ofDays(5 * 366);

	/** Maximum number of characters in a label. */
	public static final int LONGEST_LABEL = 200;

	/** Used instead of the name of a job, for all jobs combined. */
	static final String ALL = "";

	static final DateTimeFormatter HOUR = DateTimeFormatter.ofPattern("yyyy-MM-dd'T'HH");

	static final JobScript MARK = JobScript.of(JobHistory.class, "mark");

	private static final int MOST_MARKS = 1000;

	private final StoreCalls calls;

	private final Clock clock;

	/** Create a view of the history. */
	public JobHistory(RedisConnections connections, String prefix) {
		this(connections, prefix, Clock.systemUTC());
	}

	/** Create a view of the history that uses the given clock. */
	public JobHistory(RedisConnections connections, String prefix, Clock clock) {
		this.calls = StoreCalls.of(connections, prefix);
		this.clock = clock;
	}

	/**
	 * Read the per-minute totals of all jobs combined, in one round trip.
	 * @return the totals of the minutes in which a run ended or began, by the start of
	 * the minute
	 */
	public SortedMap<Instant, RunTotals> minutes(Instant from, Instant to) {
		return minutesOf(ALL, from, to);
	}

	/**
	 * Read the per-minute totals of a job, in one round trip.
	 * @return the totals of the minutes in which a run ended or began, by the start of
	 * the minute; empty if there is no such job
	 */
	public SortedMap<Instant, RunTotals> minutes(String name, Instant from, Instant to) {
		checkName(name);
		return minutesOf(name, from, to);
	}

	private SortedMap<Instant, RunTotals> minutesOf(String name, Instant from, Instant to) {
		checkRange(from, to);
		SortedMap<Instant, RunCounts> minutes = new TreeMap<>();
		read(hours(from, to).stream().map((hour) -> new OfHour(hour, name)).toList(),
				(series, ofHour, counts) -> minutes.put(series.minute(ofHour), counts));
		return totals(minutes.subMap(from.truncatedTo(ChronoUnit.MINUTES), endOf(to)));
	}

	/**
	 * Add up the runs of each job, in two round trips. Hours that are only partly in the
	 * time range are read minute by minute. Up to 1,000 different jobs per hour are
	 * included.
	 * @return the jobs of which a run ended or began, sorted by total run time, longest
	 * first; the totals also allow sorting by runs and failures
	 */
	public List<OfJob> names(Instant from, Instant to) {
		checkRange(from, to);
		Instant begin = from.truncatedTo(ChronoUnit.MINUTES);
		Instant end = endOf(to);
		Instant now = this.clock.instant();
		Map<String, RunCounts> names = new TreeMap<>();
		List<OfHour> inPart = new ArrayList<>();
		read(hours(begin, end).stream().map((hour) -> new OfHour(hour, null)).toList(), (total, name, counts) -> {
			boolean toItsEnd = !end.isBefore(total.end()) || !end.isBefore(now);
			if (toItsEnd && !total.hour().isBefore(begin)) {
				names.merge(name, counts, RunCounts::add);
			}
			else {
				inPart.add(new OfHour(total.hour(), name));
			}
		});
		read(inPart, (series, ofHour, counts) -> {
			Instant minute = series.minute(ofHour);
			if (!minute.isBefore(begin) && minute.isBefore(end)) {
				names.merge(String.valueOf(series.name()), counts, RunCounts::add);
			}
		});
		return names.entrySet()
			.stream()
			.map((entry) -> new OfJob(entry.getKey(), RunTotals.of(entry.getValue())))
			.sorted(Comparator.comparing((OfJob job) -> job.totals().ran()).reversed().thenComparing(OfJob::name))
			.toList();
	}

	/**
	 * Read the daily totals of all jobs combined, in one round trip.
	 * @param to the last day, at most 1,830 days later
	 * @return the totals of the days on which a run ended or began
	 */
	public SortedMap<LocalDate, RunTotals> days(LocalDate from, LocalDate to) {
		checkDays(from, to, TOTALS_KEPT);
		List<Integer> years = IntStream.rangeClosed(from.getYear(), to.getYear()).boxed().toList();
		SortedMap<LocalDate, RunCounts> days = new TreeMap<>();
		each(years,
				this.calls.commands()
					.hashes(years.stream().map((year) -> this.calls.keys().history(year.toString())).toList()),
				(year, fields) -> eachField(fields,
						(day, counts) -> days.put(LocalDate.parse(year + "-" + day), counts)));
		return totals(days.subMap(from, to.plusDays(1)));
	}

	/**
	 * Read the daily totals of a job, in one round trip.
	 * @param to the last day, at most 90 days later
	 * @return the totals of the days on which a run ended or began; empty if there is no
	 * such job
	 */
	public SortedMap<LocalDate, RunTotals> days(String name, LocalDate from, LocalDate to) {
		checkName(name);
		checkDays(from, to, DAYS_KEPT);
		List<LocalDate> all = from.datesUntil(to.plusDays(1)).toList();
		SortedMap<LocalDate, RunCounts> days = new TreeMap<>();
		each(all,
				this.calls.commands()
					.hashValues(all.stream().map((day) -> this.calls.keys().history(day.toString())).toList(), name),
				(day, counts) -> {
					if (counts != null) {
						days.put(day, RunCounts.parse(counts));
					}
				});
		return totals(days);
	}

	/**
	 * Set a mark now, for example for a deployment. Only the newest 1,000 marks are kept.
	 * @param label the name of the event; 1 to {@value #LONGEST_LABEL} characters, not
	 * only blanks, and without control characters
	 * @throws IllegalArgumentException if the label is invalid
	 */
	public void mark(String label) {
		mark(label, false);
	}

	/**
	 * Set a mark now, unless there already is a mark with this label. All processes of a
	 * version may call this method when they start, and only the first call sets a mark.
	 * @param label the name of the event, as for {@link #mark(String)}
	 * @return whether the mark was set
	 * @throws IllegalArgumentException if the label is invalid
	 */
	public boolean markOnce(String label) {
		return mark(label, true);
	}

	private boolean mark(String label, boolean once) {
		Assert.notNull(label, "'label' must not be null; say what has happened");
		Assert.isTrue(isLabel(label), () -> "'label' must be 1 to %d characters without control characters, but is '%s'"
			.formatted(LONGEST_LABEL, label));
		ScriptCall call = ScriptCall.on(MARK, this.calls.keys().marks())
			.add(this.clock.millis())
			.add(label.getBytes(StandardCharsets.UTF_8))
			.add(DAYS_KEPT.toMillis())
			.add(once ? "1" : "0");
		return this.calls.number(call) == 1;
	}

	/**
	 * Read marks, in one round trip.
	 * @param to the end of the time range, exclusive
	 * @return the marks, oldest first
	 */
	public List<Mark> marks(Instant from, Instant to) {
		Assert.isTrue(!to.isBefore(from), () -> "'to' must not be before 'from', but is " + to);
		List<Object> marks = this.calls.commands()
			.await(this.calls.commands()
				.membersBetween(this.calls.keys().marks(), from.toEpochMilli(), to.toEpochMilli() - 1, MOST_MARKS));
		return marks.stream().map(Answers::utf8).map((mark) -> {
			int space = mark.indexOf(' ');
			return new Mark(Instant.ofEpochMilli(Long.parseLong(mark.substring(0, space))), mark.substring(space + 1));
		}).toList();
	}

	/**
	 * Return whether a text is a valid label for a mark: 1 to {@value #LONGEST_LABEL}
	 * characters, not only blanks, and without control characters.
	 */
	public static boolean isLabel(String label) {
		return !label.isBlank() && label.length() <= LONGEST_LABEL && label.chars().noneMatch(Character::isISOControl);
	}

	private static List<Instant> hours(Instant from, Instant to) {
		return Stream
			.iterate(from.truncatedTo(ChronoUnit.HOURS), (hour) -> hour.isBefore(to),
					(hour) -> hour.plus(1, ChronoUnit.HOURS))
			.toList();
	}

	private void read(List<OfHour> series, Reader reader) {
		each(series,
				this.calls.commands()
					.hashes(series.stream().map((one) -> this.calls.keys().history(one.key())).toList()),
				(one, fields) -> eachField(fields, (field, counts) -> reader.read(one, field, counts)));
	}

	private <K, T> void each(List<K> asked, List<? extends CompletableFuture<T>> answers, BiConsumer<K, T> reader) {
		long deadline = this.calls.commands().deadline();
		for (int i = 0; i < asked.size(); i++) {
			reader.accept(asked.get(i), Answers.await(answers.get(i), deadline));
		}
	}

	private static void eachField(List<Object> hash, BiConsumer<String, RunCounts> reader) {
		for (int i = 0; i < hash.size(); i += 2) {
			reader.accept(Answers.utf8(hash.get(i)), RunCounts.parse((byte[]) hash.get(i + 1)));
		}
	}

	private static <K> SortedMap<K, RunTotals> totals(SortedMap<K, RunCounts> counts) {
		SortedMap<K, RunTotals> totals = new TreeMap<>();
		counts.forEach((key, value) -> totals.put(key, RunTotals.of(value)));
		return totals;
	}

	/** Return the end of the last requested minute. */
	private static Instant endOf(Instant to) {
		Instant minute = to.truncatedTo(ChronoUnit.MINUTES);
		return minute.equals(to) ? minute : minute.plus(1, ChronoUnit.MINUTES);
	}

	private static void checkRange(Instant from, Instant to) {
		Assert.isTrue(!to.isBefore(from), () -> "'to' must not be before 'from', but is " + to);
		Assert.isTrue(Duration.between(from, to).compareTo(MINUTES_KEPT) <= 0, () -> "'to' must be at most "
				+ MINUTES_KEPT.toHours() + " hours after 'from', because older minutes are not kept");
	}

	private static void checkDays(LocalDate from, LocalDate to, Duration longest) {
		Assert.isTrue(!to.isBefore(from), () -> "'to' must not be before 'from', but is " + to);
		Assert.isTrue(ChronoUnit.DAYS.between(from, to) <= longest.toDays(), () -> "'to' must be at most "
				+ longest.toDays() + " days after 'from', because older days are not kept");
	}

	private static void checkName(String name) {
		Assert.hasText(name, "'name' must be that of a job; leave it out for all jobs together");
	}

	/**
	 * The runs of a job.
	 *
	 * @param name the name of the job
	 * @param totals the totals of its runs
	 */
	public record OfJob(String name, RunTotals totals) {

	}

	/**
	 * A mark on the timeline.
	 *
	 * @param at when the mark was set
	 * @param label the name of the event
	 */
	public record Mark(Instant at, String label) {

	}

	private interface Reader {

		void read(OfHour of, String field, RunCounts counts);

	}

	/**
	 * An hour and the name of a job: {@link #ALL} for all jobs combined, {@code null} for
	 * the hash that has the totals of the hour for each job.
	 */
	private record OfHour(Instant hour, @Nullable String name) {

		String key() {
			String key = HOUR.format(LocalDateTime.ofInstant(this.hour, ZoneOffset.UTC));
			return (this.name != null) ? key + ":" + this.name : key;
		}

		Instant minute(String ofHour) {
			return this.hour.plus(Integer.parseInt(ofHour), ChronoUnit.MINUTES);
		}

		Instant end() {
			return this.hour.plus(1, ChronoUnit.HOURS);
		}

	}

}
