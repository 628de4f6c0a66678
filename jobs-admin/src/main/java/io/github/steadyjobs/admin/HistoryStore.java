package io.github.steadyjobs.admin;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.function.BiConsumer;

import io.github.steadyjobs.JobStoreException;
import io.github.steadyjobs.redis.Answers;
import io.github.steadyjobs.redis.JobScript;
import io.github.steadyjobs.redis.RedisConnections;
import io.github.steadyjobs.redis.ScriptCall;
import io.github.steadyjobs.redis.StoreCalls;
import org.jspecify.annotations.Nullable;

/**
 * Stores what has run, by minute, hour and day in UTC, and marks in time. No decisions
 * depend on it, so it expires. Methods that wait for an answer fail with a
 * {@link JobStoreException} if Redis refused, is not reachable or did not answer. Thread
 * safe.
 */
final class HistoryStore {

	/** Stands for all jobs together, instead of the name of one. */
	static final String ALL = "";

	/** How long minutes are kept. */
	static final Duration MINUTES_KEPT = Duration.ofHours(72);

	/** How long the days of each job, and marks, are kept. */
	static final Duration DAYS_KEPT = Duration.ofDays(90);

	/** How long the days of all jobs together are kept. */
	static final Duration TOTALS_KEPT = Duration.ofDays(5 * 366);

	/** The most marks that are kept. */
	static final int MOST_MARKS = 1000;

	private static final int FIELDS_AT_ONCE = 500;

	private static final DateTimeFormatter HOUR = DateTimeFormatter.ofPattern("yyyy-MM-dd'T'HH");

	static final JobScript TALLY = JobScript.of(HistoryStore.class, "tally");

	static final JobScript MARK = JobScript.of(HistoryStore.class, "mark");

	private final StoreCalls background;

	private final StoreCalls calls;

	HistoryStore(RedisConnections connections, String prefix) {
		this.background = StoreCalls.inBackground(connections, prefix);
		this.calls = StoreCalls.of(connections, prefix);
	}

	/**
	 * Add counts, all in one flush. Neither blocks nor throws. A call is not repeated if
	 * its answer is lost, so that nothing counts twice.
	 * @param added the counts by minute and name of the job
	 * @return completed when all calls are answered; fails if any of them was not carried
	 * out, or may not have been
	 */
	CompletableFuture<Void> add(SortedMap<Instant, Map<String, RunCounts>> added) {
		Map<Period, Map<String, RunCounts>> periods = new LinkedHashMap<>();
		added.forEach((minute, names) -> names.forEach((name, counts) -> {
			LocalDateTime time = LocalDateTime.ofInstant(minute, ZoneOffset.UTC);
			String hour = HOUR.format(time);
			String ofHour = Integer.toString(time.getMinute());
			String day = time.toLocalDate().toString();
			List.of(new Field(new Period(hour + ":" + name, MINUTES_KEPT), ofHour),
					new Field(new Period(hour + ":" + ALL, MINUTES_KEPT), ofHour),
					new Field(new Period(hour, MINUTES_KEPT), name), new Field(new Period(day, DAYS_KEPT), name),
					new Field(new Period(day.substring(0, 4), TOTALS_KEPT), day.substring(5)))
				.forEach((field) -> periods.computeIfAbsent(field.period(), (period) -> new TreeMap<>())
					.computeIfAbsent(field.name(), (absent) -> new RunCounts())
					.add(counts));
		}));
		List<ScriptCall> tallies = new ArrayList<>();
		periods.forEach((period, fields) -> tallies.addAll(tallies(period, fields)));
		return this.background.sendOnce(tallies);
	}

	private List<ScriptCall> tallies(Period period, Map<String, RunCounts> fields) {
		List<ScriptCall> tallies = new ArrayList<>();
		List<String> names = List.copyOf(fields.keySet());
		for (int from = 0; from < names.size(); from += FIELDS_AT_ONCE) {
			ScriptCall call = ScriptCall.on(TALLY, this.calls.keys().history(period.name()))
				.add(period.kept().plus(period.length()).toMillis());
			names.subList(from, Math.min(names.size(), from + FIELDS_AT_ONCE))
				.forEach((name) -> call.add(utf8(name)).add(String.valueOf(fields.get(name))));
			tallies.add(call);
		}
		return tallies;
	}

	/**
	 * Read the minutes of a job, in one round trip.
	 * @param name the name of the job, or {@link #ALL}
	 * @param from the first minute
	 * @param to the minute after the last one
	 * @return the minutes in which there was something
	 */
	SortedMap<Instant, RunCounts> minutes(String name, Instant from, Instant to) {
		SortedMap<Instant, RunCounts> minutes = new TreeMap<>();
		read(hours(from, to).stream().map((hour) -> new OfHour(hour, name)).toList(),
				(series, ofHour, counts) -> minutes.put(series.minute(ofHour), counts));
		return minutes.subMap(from, to);
	}

	/**
	 * Add up minutes by job, in two round trips: hours that are only partly in the period
	 * are read minute by minute.
	 * @param from the first minute
	 * @param to the minute after the last one
	 * @param now the present; nothing is expected after it
	 * @return names and counts of the jobs that had something
	 */
	Map<String, RunCounts> names(Instant from, Instant to, Instant now) {
		Map<String, RunCounts> names = new TreeMap<>();
		List<OfHour> inPart = new ArrayList<>();
		read(hours(from, to).stream().map((hour) -> new OfHour(hour, null)).toList(), (total, name, counts) -> {
			boolean toItsEnd = !to.isBefore(total.end()) || !to.isBefore(now);
			if (toItsEnd && !total.hour().isBefore(from)) {
				names.merge(name, counts, RunCounts::add);
			}
			else {
				inPart.add(new OfHour(total.hour(), name));
			}
		});
		read(inPart, (series, ofHour, counts) -> {
			Instant minute = series.minute(ofHour);
			if (!minute.isBefore(from) && minute.isBefore(to)) {
				names.merge(String.valueOf(series.name()), counts, RunCounts::add);
			}
		});
		return names;
	}

	/**
	 * Read the days of all jobs together, in one round trip.
	 * @param from the first day
	 * @param to the last day
	 * @return the days on which there was something
	 */
	SortedMap<LocalDate, RunCounts> days(LocalDate from, LocalDate to) {
		List<Integer> years = new ArrayList<>();
		for (int year = from.getYear(); year <= to.getYear(); year++) {
			years.add(year);
		}
		SortedMap<LocalDate, RunCounts> days = new TreeMap<>();
		each(years,
				this.calls.commands()
					.hashes(years.stream().map((year) -> this.calls.keys().history(year.toString())).toList()),
				(year, fields) -> eachField(fields,
						(day, counts) -> days.put(LocalDate.parse(year + "-" + day), counts)));
		return days.subMap(from, to.plusDays(1));
	}

	/**
	 * Read the days of a job, in one round trip.
	 * @param name the name of the job
	 * @param from the first day
	 * @param to the last day
	 * @return the days on which there was something
	 */
	SortedMap<LocalDate, RunCounts> days(String name, LocalDate from, LocalDate to) {
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
		return days;
	}

	/**
	 * Write a mark. Repeating it is harmless.
	 * @param once whether no other mark must have this label
	 * @return whether it was written
	 */
	boolean mark(Instant at, String label, boolean once) {
		ScriptCall call = ScriptCall.on(MARK, this.calls.keys().marks())
			.add(at.toEpochMilli())
			.add(utf8(label))
			.add(DAYS_KEPT.toMillis())
			.add(once ? "1" : "0");
		return this.calls.number(call) == 1;
	}

	/**
	 * Read marks, the oldest first.
	 * @param reader gets their times and labels
	 */
	void marks(Instant from, Instant to, BiConsumer<Instant, String> reader) {
		List<Object> marks = this.calls.commands()
			.await(this.calls.commands()
				.membersBetween(this.calls.keys().marks(), from.toEpochMilli(), to.toEpochMilli() - 1, MOST_MARKS));
		marks.stream().map(Answers::utf8).forEach((mark) -> {
			int space = mark.indexOf(' ');
			reader.accept(Instant.ofEpochMilli(Long.parseLong(mark.substring(0, space))), mark.substring(space + 1));
		});
	}

	private static List<Instant> hours(Instant from, Instant to) {
		List<Instant> hours = new ArrayList<>();
		for (Instant hour = from.truncatedTo(ChronoUnit.HOURS); hour
			.isBefore(to); hour = hour.plus(1, ChronoUnit.HOURS)) {
			hours.add(hour);
		}
		return hours;
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

	private static byte[] utf8(String text) {
		return text.getBytes(StandardCharsets.UTF_8);
	}

	private interface Reader {

		void read(OfHour of, String field, RunCounts counts);

	}

	private record Period(String name, Duration kept) {

		/**
		 * Return how long the period itself may last, because its end counts.
		 */
		Duration length() {
			return switch (this.name.length()) {
				case 4 -> Duration.ofDays(366);
				case 10 -> Duration.ofDays(1);
				default -> Duration.ofHours(1);
			};
		}

	}

	private record Field(Period period, String name) {

	}

	/**
	 * An hour of a job; without a name, the totals of the hour by job.
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
