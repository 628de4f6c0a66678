package io.github.steadyjobs.benchmarks.chaos;

import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;

import io.github.steadyjobs.Recurring.Missed;
import io.github.steadyjobs.Recurring.Overlap;
import io.github.steadyjobs.recurring.Schedule;

/**
 * A recurring job of the program {@code recurring}. In each process, the same seed
 * results in the same jobs.
 *
 * @param number distinguishes the job from other recurring jobs
 * @param schedule when it runs
 * @param period approximate time from one tick to the next
 * @param policies what happens to ticks that are missed or overlap
 * @param longest maximum duration of a run
 */
record TickSpec(int number, Schedule schedule, Duration period, Policies policies, Duration longest) {

	static final List<String> QUEUES = List.of("recurring-a", "recurring-b");

	private static final int[] PERIODS = { 5, 10, 20, 30, 60, 120, 300, 600 };

	/**
	 * Percentage of the jobs with each period. With 1,000 jobs, there are about 30 ticks
	 * per second.
	 */
	private static final int[] SHARES = { 3, 8, 12, 17, 20, 15, 15, 10 };

	private static final int MOST_SECONDS_OF_RUN = 4;

	private static final int MILLIS_OF_SHORT_RUN = 5;

	private static final double LEAST_RATE = 20;

	private static final double MOST_RATE = 50;

	private static final List<ZoneId> ZONES = List.of(ZoneId.of("UTC"), ZoneId.of("Europe/Berlin"),
			ZoneId.of("America/New_York"));

	String name() {
		return "recurring-%04d".formatted(this.number);
	}

	String queue() {
		return QUEUES.get(this.number % QUEUES.size());
	}

	/**
	 * Return when a tick is due, including its jitter.
	 */
	Instant due(Instant tick) {
		return this.schedule.next(name(), tick.minusMillis(1), 1).get(0);
	}

	/**
	 * Return the ticks that are due in a period.
	 * @param from the beginning, exclusive
	 * @param to the end, inclusive
	 */
	List<Instant> ticks(Instant from, Instant to) {
		List<Instant> ticks = new ArrayList<>();
		Instant tick = this.schedule.next(name(), from.minus(this.schedule.jitter()));
		while (tick != null && !tick.isAfter(to)) {
			if (due(tick).isAfter(from) && !due(tick).isAfter(to)) {
				ticks.add(tick);
			}
			tick = this.schedule.next(name(), tick);
		}
		return ticks;
	}

	/**
	 * Draw recurring jobs at random, with 20 to 50 ticks per second altogether if
	 * possible.
	 */
	static List<TickSpec> draw(int jobs, long seed) {
		Random random = new Random(seed);
		int[] periods = new int[jobs];
		double rate = 0;
		for (int i = 0; i < jobs; i++) {
			periods[i] = period(random.nextInt(100));
			rate += 1.0 / periods[i];
		}
		for (int i = 0; i < jobs && (rate < LEAST_RATE || rate > MOST_RATE); i++) {
			int other = (rate < LEAST_RATE) ? 1 + i % 2 : PERIODS[PERIODS.length - 1];
			rate += 1.0 / other - 1.0 / periods[i];
			periods[i] = other;
		}
		List<TickSpec> specs = new ArrayList<>();
		for (int i = 0; i < jobs; i++) {
			specs.add(draw(i, periods[i], random));
		}
		return specs;
	}

	private static int period(int percent) {
		int i = 0;
		for (int rest = percent; rest >= SHARES[i]; i++) {
			rest -= SHARES[i];
		}
		return PERIODS[i];
	}

	private static TickSpec draw(int number, int period, Random random) {
		Schedule schedule = random.nextBoolean() ? Schedule.every(Duration.ofSeconds(period))
				: Schedule.cron(cron(period, random), ZONES.get(random.nextInt(ZONES.size())));
		if (random.nextInt(5) == 0) {
			schedule = schedule.jitter(Duration.ofSeconds(period).dividedBy(4));
		}
		boolean isLong = random.nextInt(7) == 0;
		Duration longest = isLong ? Duration.ofMillis(1500L * Math.min(period, MOST_SECONDS_OF_RUN))
				: Duration.ofMillis(MILLIS_OF_SHORT_RUN);
		Missed missed = Missed.values()[random.nextInt(Missed.values().length)];
		int atMost = (missed == Missed.RUN_ALL) ? 1 + random.nextInt(5) : 0;
		Overlap overlap = Overlap.values()[random.nextInt(Overlap.values().length)];
		return new TickSpec(number, schedule, Duration.ofSeconds(period), new Policies(missed, atMost, overlap),
				longest);
	}

	private static String cron(int period, Random random) {
		if (period < 60) {
			return "%d/%d * * * * *".formatted(random.nextInt(period), period);
		}
		return "%d */%d * * * *".formatted(random.nextInt(60), period / 60);
	}

	/**
	 * Create recurring jobs that are not due before this program has ended.
	 */
	static List<TickSpec> farAway(int jobs) {
		Schedule schedule = Schedule.every(Duration.ofDays(1)).from(Instant.parse("2100-01-01T00:00:00Z"));
		List<TickSpec> specs = new ArrayList<>();
		for (int i = 0; i < jobs; i++) {
			specs.add(new TickSpec(i, schedule, Duration.ofDays(1), new Policies(Missed.RUN_ONCE, 0, Overlap.SKIP),
					Duration.ZERO));
		}
		return specs;
	}

	/**
	 * The policies for ticks that are missed or overlap.
	 *
	 * @param missed the policy for missed ticks
	 * @param atMost maximum number of missed ticks that run with {@link Missed#RUN_ALL}
	 * @param overlap the policy while the job of an earlier tick has not ended
	 */
	record Policies(Missed missed, int atMost, Overlap overlap) {

	}

}
