package io.github.steadyjobs.recurring;

import java.nio.ByteBuffer;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.ZoneId;
import java.time.temporal.ChronoUnit;
import java.time.zone.ZoneOffsetTransition;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;

import io.github.steadyjobs.Names;
import io.github.steadyjobs.recurring.InvalidRecurringJobException.Reason;
import org.jspecify.annotations.Nullable;

import org.springframework.scheduling.support.CronExpression;
import org.springframework.util.Assert;
import org.springframework.util.ConcurrentReferenceHashMap;

/**
 * The times at which something recurs. An invalid schedule is refused with an
 * {@link InvalidRecurringJobException}. The message says what is wrong and, for a cron
 * expression, where.
 *
 * @param cron the cron expression, {@code null} if there is a period
 * @param zone the time zone of the cron expression; UTC for a period
 * @param every the period, {@code null} if there is a cron expression
 * @param from the earliest time, or {@code null} for no limit
 * @param until the latest time, or {@code null} for no limit
 * @param jitter the maximum random delay of each time, up to a day; zero for no delay
 */
public record Schedule(@Nullable String cron, ZoneId zone, @Nullable Duration every, @Nullable Instant from,
		@Nullable Instant until, Duration jitter) {

	/** The shortest period, which is also the precision of cron expressions. */
	public static final Duration PRECISION = Duration.ofSeconds(1);

	private static final Duration LONGEST = Duration.ofDays(36_500);

	private static final ZoneId UTC = ZoneId.of("UTC");

	private static final String[] FIELDS = { "seconds", "minutes", "hours", "days of the month", "months",
			"days of the week" };

	private static final Map<String, CronExpression> EXPRESSIONS = new ConcurrentReferenceHashMap<>();

	public Schedule {
		Assert.isTrue((cron == null) != (every == null), "either 'cron' or 'every' must be set");
		Assert.notNull(zone, "'zone' must not be null");
		Assert.notNull(jitter, "'jitter' must not be null; pass zero for none");
		cron = (cron != null) ? cron.trim() : null;
		zone = (cron != null) ? zone : UTC;
		Reason.INVALID.unless(cron == null || expression(cron).next(LocalDate.EPOCH.atStartOfDay()) != null,
				"'%s' never comes", cron);
		Reason.INVALID.unless(every == null || (every.compareTo(PRECISION) >= 0 && every.compareTo(LONGEST) <= 0),
				"'every' must be 1 s or more, up to 36,500 days, but is %s", every);
		Reason.INVALID.unless(every == null || every.toNanosPart() % 1_000_000 == 0,
				"'every' must be whole milliseconds, but is %s", every);
		from = checked("from", from);
		until = checked("until", until);
		Reason.INVALID.unless(from == null || until == null || !from.isAfter(until),
				"'from' must not be after 'until', but is %s with %s", from, until);
		Reason.INVALID.unless(jitter.isZero() || (jitter.toMillis() >= 1 && jitter.compareTo(Duration.ofDays(1)) <= 0),
				"'jitter' must be 1 ms or more, up to a day, but is %s", jitter);
	}

	/**
	 * Create a schedule that recurs at the times of a {@link CronExpression}: six fields,
	 * or a macro such as {@code @daily}.
	 */
	public static Schedule cron(String cron, ZoneId zone) {
		return new Schedule(cron, zone, null, null, null, Duration.ZERO);
	}

	/**
	 * Create a schedule that recurs once in every period. The period must be between
	 * {@link #PRECISION} and 36,500 days, in whole milliseconds. Periods are counted from
	 * {@link #from} or, if that is not set, from a time that depends on the name of the
	 * recurring job.
	 */
	public static Schedule every(Duration period) {
		return new Schedule(null, UTC, period, null, null, Duration.ZERO);
	}

	/**
	 * Return a copy with the given earliest time, to the millisecond. Periods are counted
	 * from this time.
	 */
	public Schedule from(Instant from) {
		return new Schedule(this.cron, this.zone, this.every, from, this.until, this.jitter);
	}

	/** Return a copy with the given latest time, to the millisecond. */
	public Schedule until(Instant until) {
		return new Schedule(this.cron, this.zone, this.every, this.from, until, this.jitter);
	}

	/**
	 * Return a copy that delays each time by up to the given duration, between 1 ms and a
	 * day. The delay looks random but depends only on the name and the time. A delayed
	 * time always stays before the next time of the schedule.
	 */
	public Schedule jitter(Duration jitter) {
		return new Schedule(this.cron, this.zone, this.every, this.from, this.until, jitter);
	}

	private static @Nullable Instant checked(String name, @Nullable Instant time) {
		Reason.INVALID.unless(
				time == null || Duration.between(Instant.EPOCH, time).abs().compareTo(LONGEST.multipliedBy(10)) < 0,
				"'%s' must be less than 1,000 years away, but is %s", name, time);
		return (time != null) ? time.truncatedTo(ChronoUnit.MILLIS) : null;
	}

	/** Parse a cron expression. If it is invalid, the exception says where. */
	private static CronExpression expression(String cron) {
		try {
			return EXPRESSIONS.computeIfAbsent(cron, CronExpression::parse);
		}
		catch (IllegalArgumentException | DateTimeException ex) {
			throw new InvalidRecurringJobException(Reason.INVALID,
					"'%s' is not a cron expression: %s".formatted(cron, whatIsWrong(cron, ex)), ex);
		}
	}

	private static String whatIsWrong(String cron, RuntimeException problem) {
		String[] fields = cron.split("\\s+");
		String withSeconds = "0 " + cron;
		if (fields.length == FIELDS.length - 1 && CronExpression.isValidExpression(withSeconds)) {
			return "it has five fields, but seconds come first here. Write '%s'".formatted(withSeconds);
		}
		for (int i = 0, position = 0; i < fields.length && fields.length == FIELDS.length; i++) {
			position = cron.indexOf(fields[i], position);
			if (!CronExpression.isValidExpression("* ".repeat(i) + fields[i] + " *".repeat(FIELDS.length - 1 - i))) {
				return "'%s' at position %d, for %s (%s)".formatted(fields[i], position + 1, FIELDS[i],
						problem.getMessage());
			}
			position += fields[i].length();
		}
		return String.valueOf(problem.getMessage());
	}

	/**
	 * Return the first time after the given time, without jitter, or {@code null} if the
	 * schedule has ended.
	 * @param name the name of the recurring job, on which periods depend
	 */
	public @Nullable Instant next(String name, Instant after) {
		Instant start = this.from;
		Instant begin = (start != null && after.isBefore(start)) ? start.minusMillis(1) : after;
		Instant next = (this.cron != null) ? nextOfCron(expression(this.cron), begin) : nextOfPeriod(name, begin);
		return (next == null || (this.until != null && next.isAfter(this.until))) ? null : next;
	}

	private Instant nextOfPeriod(String name, Instant after) {
		long period = Objects.requireNonNull(this.every).toMillis();
		long origin = (this.from != null) ? this.from.toEpochMilli() : Math.floorMod(number(name), period);
		long passed = Math.floorDiv(after.toEpochMilli() - origin, period);
		return Instant.ofEpochMilli(origin + (passed + 1) * period);
	}

	/**
	 * Find the next local time first, and then its instant. Only in this order is it
	 * possible to detect local times that do not exist or exist twice.
	 */
	private @Nullable Instant nextOfCron(CronExpression expression, Instant after) {
		LocalDateTime local = expression.next(LocalDateTime.ofInstant(after, this.zone));
		// In an hour that exists twice, the local times of the second pass have already
		// occurred.
		while (local != null && !instant(local).isAfter(after)) {
			local = expression.next(local);
		}
		return (local != null) ? instant(local) : null;
	}

	private Instant instant(LocalDateTime local) {
		ZoneOffsetTransition transition = this.zone.getRules().getTransition(local);
		return (transition != null && transition.isGap()) ? transition.getInstant()
				: local.atZone(this.zone).toInstant();
	}

	/**
	 * Return the first time after the latest handled tick that, with its jitter, is still
	 * in the future, or {@code null} if the schedule has ended. The result has no jitter.
	 * @param last the latest handled tick, or {@code null} if there has been no tick
	 */
	@Nullable Instant toCome(String name, @Nullable Instant last, Instant now) {
		Duration most = (this.every != null && this.every.compareTo(this.jitter) < 0) ? this.every : this.jitter;
		Instant earliest = now.minus(most);
		Instant next = next(name, (last != null && last.isAfter(earliest)) ? last : earliest);
		while (next != null && !moved(name, next).isAfter(now)) {
			next = next(name, next);
		}
		return next;
	}

	/**
	 * Return the next times with their jitter, or fewer than requested if the schedule
	 * ends.
	 * @param name the name of the recurring job, on which periods and jitter depend
	 */
	public List<Instant> next(String name, Instant after, int count) {
		List<Instant> times = new ArrayList<>(count);
		Instant next = next(name, after);
		while (next != null && times.size() < count) {
			times.add(moved(name, next));
			next = next(name, next);
		}
		return times;
	}

	/**
	 * Return a time with its jitter. The result is before the next time of the schedule;
	 * otherwise the tick would count as missed.
	 */
	Instant moved(String name, Instant time) {
		if (this.jitter.isZero()) {
			return time;
		}
		Instant next = next(name, time);
		long most = this.jitter.toMillis() + 1;
		long distance = (next != null) ? Math.min(most, Duration.between(time, next).toMillis()) : most;
		return time.plusMillis(Math.floorMod(number(name + " " + time.toEpochMilli()), distance));
	}

	/** Return a 64-bit hash of a text, which is the same in all processes. */
	private static long number(String text) {
		return ByteBuffer.wrap(Names.sha256(text)).getLong();
	}

	@Override
	public String toString() {
		return ((this.cron != null) ? "cron '%s' in %s".formatted(this.cron, this.zone) : "every " + this.every)
				+ ((this.from != null) ? " from " + this.from : "")
				+ ((this.until != null) ? " until " + this.until : "")
				+ (this.jitter.isZero() ? "" : " with jitter " + this.jitter);
	}

}
