package io.github.steadyjobs.recurring;

import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.ZoneId;
import java.time.zone.ZoneOffsetTransition;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;

import io.github.steadyjobs.recurring.InvalidRecurringJobException.Reason;
import org.jspecify.annotations.Nullable;

import org.springframework.scheduling.support.CronExpression;
import org.springframework.util.Assert;

/**
 * When something recurs. Immutable. What cannot be so is refused with an
 * {@link InvalidRecurringJobException} that says what, and where in a cron expression.
 */
public final class Schedule {

	/** Cron knows nothing shorter. */
	public static final Duration PRECISION = Duration.ofSeconds(1);

	private static final Duration LONGEST = Duration.ofDays(36_500);

	private static final String[] FIELDS = { "seconds", "minutes", "hours", "days of the month", "months",
			"days of the week" };

	private final @Nullable String cron;

	private final @Nullable CronExpression expression;

	private final ZoneId zone;

	private final @Nullable Duration every;

	private final @Nullable Instant from;

	private final @Nullable Instant until;

	private final Duration jitter;

	private Schedule(@Nullable String cron, ZoneId zone, @Nullable Duration every, @Nullable Instant from,
			@Nullable Instant until, Duration jitter) {
		this.cron = cron;
		this.expression = (cron != null) ? parse(cron) : null;
		this.zone = zone;
		this.every = every;
		this.from = from;
		this.until = until;
		this.jitter = jitter;
	}

	/**
	 * Recur at the times of a cron expression.
	 * @param cron six fields as {@link CronExpression} takes them, or a macro such as
	 * {@code @daily}
	 * @param zone the time zone of the expression
	 * @return the schedule
	 */
	public static Schedule cron(String cron, ZoneId zone) {
		Assert.notNull(cron, "'cron' must not be null");
		Assert.notNull(zone, "'zone' must not be null");
		Schedule schedule = new Schedule(cron.trim(), zone, null, null, null, Duration.ZERO);
		InvalidRecurringJobException.throwUnless(schedule.next("", Instant.EPOCH) != null,
				() -> "'%s' has no time that ever comes".formatted(cron));
		return schedule;
	}

	/**
	 * Recur once in every period, from {@link #from} on or, without that, from a time
	 * that depends on the name.
	 * @param period the period, {@link #PRECISION} or more
	 * @return the schedule
	 */
	public static Schedule every(Duration period) {
		Assert.notNull(period, "'period' must not be null");
		InvalidRecurringJobException.throwUnless(period.compareTo(PRECISION) >= 0 && period.compareTo(LONGEST) <= 0,
				() -> "'every' must be 1 s or more, up to 36,500 days, and is " + period);
		InvalidRecurringJobException.throwUnless(period.toNanosPart() % 1_000_000 == 0,
				() -> "'every' must be whole milliseconds, and is " + period);
		return new Schedule(null, ZoneId.of("UTC"), period, null, null, Duration.ZERO);
	}

	/**
	 * Do not recur before a time. A period is counted from it.
	 * @param from the time, to the millisecond
	 * @return the schedule that begins then
	 */
	public Schedule from(Instant from) {
		return new Schedule(this.cron, this.zone, this.every, checked("from", from), this.until, this.jitter).ordered();
	}

	/**
	 * Do not recur after a time.
	 * @param until the time, to the millisecond
	 * @return the schedule that ends then
	 */
	public Schedule until(Instant until) {
		return new Schedule(this.cron, this.zone, this.every, this.from, checked("until", until), this.jitter)
			.ordered();
	}

	/**
	 * Move each time by up to a time, which looks random but depends on name and time
	 * alone. No time is moved to the next one or beyond.
	 * @param jitter the longest such time, 1 ms or more, up to a day
	 * @return the schedule with that jitter
	 */
	public Schedule jitter(Duration jitter) {
		Assert.notNull(jitter, "'jitter' must not be null; leave it out for none");
		InvalidRecurringJobException.throwUnless(
				jitter.toMillis() >= 1 && jitter.toDays() < 1 || jitter.equals(Duration.ofDays(1)),
				() -> "'jitter' must be 1 ms or more, up to a day, and is " + jitter);
		return new Schedule(this.cron, this.zone, this.every, this.from, this.until, jitter);
	}

	private static Instant checked(String name, Instant time) {
		Assert.notNull(time, () -> "'%s' must not be null; leave it out for none".formatted(name));
		InvalidRecurringJobException.throwUnless(
				Duration.between(Instant.EPOCH, time).abs().compareTo(LONGEST.multipliedBy(10)) < 0,
				() -> "'%s' must be less than 1,000 years away, and is %s".formatted(name, time));
		return Instant.ofEpochMilli(time.toEpochMilli());
	}

	private Schedule ordered() {
		InvalidRecurringJobException.throwUnless(
				this.from == null || this.until == null || !this.from.isAfter(this.until),
				() -> "'from' must not be after 'until', and is %s with %s".formatted(this.from, this.until));
		return this;
	}

	/**
	 * Read a cron expression, and say where it is wrong.
	 */
	private static CronExpression parse(String cron) {
		try {
			return CronExpression.parse(cron);
		}
		catch (IllegalArgumentException | DateTimeException ex) {
			throw new InvalidRecurringJobException(Reason.INVALID,
					"'%s' is no cron expression: %s".formatted(cron, whatIsWrong(cron, ex)), ex);
		}
	}

	private static String whatIsWrong(String cron, RuntimeException problem) {
		String[] fields = cron.split("\\s+");
		String withSeconds = "0 " + cron;
		if (fields.length == FIELDS.length - 1 && CronExpression.isValidExpression(withSeconds)) {
			return "it has five fields, and seconds come first here. Write '%s'".formatted(withSeconds);
		}
		if (cron.startsWith("@") || fields.length != FIELDS.length) {
			return String.valueOf(problem.getMessage());
		}
		int position = 0;
		for (int i = 0; i < fields.length; i++) {
			position = cron.indexOf(fields[i], position);
			String[] others = { "*", "*", "*", "*", "*", "*" };
			others[i] = fields[i];
			try {
				CronExpression.parse(String.join(" ", others));
			}
			catch (IllegalArgumentException | DateTimeException ex) {
				return "'%s' at position %d, for %s (%s)".formatted(fields[i], position + 1, FIELDS[i],
						ex.getMessage());
			}
			position += fields[i].length();
		}
		return String.valueOf(problem.getMessage());
	}

	/**
	 * Return the first time after another one, without its jitter.
	 * @param name the name of what recurs
	 * @param after the other time
	 * @return the time, or {@code null} if there is none
	 */
	public @Nullable Instant next(String name, Instant after) {
		Instant start = this.from;
		Instant begin = (start != null && after.isBefore(start)) ? start.minusMillis(1) : after;
		Instant next = (this.expression != null) ? nextOfCron(this.expression, begin) : nextOfPeriod(name, begin);
		return (next == null || (this.until != null && next.isAfter(this.until))) ? null : next;
	}

	private Instant nextOfPeriod(String name, Instant after) {
		long period = Objects.requireNonNull(this.every).toMillis();
		long origin = (this.from != null) ? this.from.toEpochMilli() : Math.floorMod(Digest.number(name), period);
		long passed = Math.floorDiv(after.toEpochMilli() - origin, period);
		return Instant.ofEpochMilli(origin + (passed + 1) * period);
	}

	/**
	 * Look for the next local time, and then for when that is: only so are times that do
	 * not exist or exist twice known as such.
	 */
	private @Nullable Instant nextOfCron(CronExpression expression, Instant after) {
		LocalDateTime local = LocalDateTime.ofInstant(after, this.zone);
		while (true) {
			local = expression.next(local);
			if (local == null) {
				return null;
			}
			Instant next = instant(local);
			// In the hour that exists for the second time, local times have been before.
			if (next.isAfter(after)) {
				return next;
			}
		}
	}

	private Instant instant(LocalDateTime local) {
		ZoneOffsetTransition transition = this.zone.getRules().getTransition(local);
		return (transition != null && transition.isGap()) ? transition.getInstant()
				: local.atZone(this.zone).toInstant();
	}

	/**
	 * Return the next times, with their jitter.
	 * @param name the name of what recurs
	 * @param after the time before them
	 * @param count how many
	 * @return the times, fewer if it ends before
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
	 * Return a time with its jitter. It stays before the next one, which would make it a
	 * missed one.
	 */
	Instant moved(String name, Instant time) {
		if (this.jitter.isZero()) {
			return time;
		}
		Instant next = next(name, time);
		long most = this.jitter.toMillis() + 1;
		long distance = (next != null) ? Math.min(most, Duration.between(time, next).toMillis()) : most;
		return time.plusMillis(Math.floorMod(Digest.number(name + " " + time.toEpochMilli()), distance));
	}

	/**
	 * Return the cron expression, or {@code null} if there is a period.
	 * @return the expression
	 */
	public @Nullable String cron() {
		return this.cron;
	}

	/**
	 * Return the time zone of the cron expression.
	 * @return the zone, UTC for a period
	 */
	public ZoneId zone() {
		return this.zone;
	}

	/**
	 * Return the period, or {@code null} if there is a cron expression.
	 * @return the period
	 */
	public @Nullable Duration every() {
		return this.every;
	}

	/**
	 * Return the time before which it does not recur, or {@code null}.
	 * @return the time
	 */
	public @Nullable Instant from() {
		return this.from;
	}

	/**
	 * Return the time after which it does not recur, or {@code null}.
	 * @return the time
	 */
	public @Nullable Instant until() {
		return this.until;
	}

	/**
	 * Return by how much each time is moved at most.
	 * @return the time, zero for none
	 */
	public Duration jitter() {
		return this.jitter;
	}

	@Override
	public boolean equals(@Nullable Object other) {
		return other instanceof Schedule that && Objects.equals(this.cron, that.cron) && this.zone.equals(that.zone)
				&& Objects.equals(this.every, that.every) && Objects.equals(this.from, that.from)
				&& Objects.equals(this.until, that.until) && this.jitter.equals(that.jitter);
	}

	@Override
	public int hashCode() {
		return Objects.hash(this.cron, this.zone, this.every, this.from, this.until, this.jitter);
	}

	@Override
	public String toString() {
		return ((this.cron != null) ? "cron '%s' in %s".formatted(this.cron, this.zone) : "every " + this.every)
				+ ((this.from != null) ? " from " + this.from : "")
				+ ((this.until != null) ? " until " + this.until : "")
				+ (this.jitter.isZero() ? "" : " with jitter " + this.jitter);
	}

}
