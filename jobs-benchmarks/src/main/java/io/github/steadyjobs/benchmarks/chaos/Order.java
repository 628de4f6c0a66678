package io.github.steadyjobs.benchmarks.chaos;

import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Random;
import java.util.stream.IntStream;
import java.util.stream.Stream;

import io.github.steadyjobs.redis.QueueRef;
import org.jspecify.annotations.Nullable;

/**
 * The argument of a job of the chaos program.
 *
 * @param number number of the job
 * @param millis duration of a run, in milliseconds
 * @param failures number of attempts that fail before one succeeds
 * @param update the key and version of a payload of the ordered job; {@code null} for a
 * plain job
 */
record Order(int number, int millis, int failures, @Nullable Update update) {

	private static final int LONGEST = 200;

	private static final int ONE_LONG_OF = 1000;

	private static final int SLOW = 500;

	private static final int ONE_SLOW_OF = 100;

	/**
	 * The queues of plain jobs. There are two, because a process may be declared dead in
	 * one queue but not in the other.
	 */
	static final List<String> QUEUES = List.of("chaos-a", "chaos-b");

	/**
	 * The queue of the ordered job.
	 */
	static final String ORDERED = "chaos-ordered";

	/**
	 * The queue of the recurring job. {@link #STORED} does not contain this queue,
	 * because ticks never end.
	 */
	static final String TICKS = "chaos-ticks";

	static final int SHARDS = 3;

	/**
	 * The stored names of the unordered queues and of the shards of the ordered queue.
	 */
	static final List<String> STORED = Stream
		.concat(QUEUES.stream(), IntStream.range(0, SHARDS).mapToObj((number) -> new QueueRef(ORDERED, number).name()))
		.toList();

	/**
	 * Draw an order at random.
	 * @param number number of the job
	 * @param random the source of randomness
	 * @param lengths how long jobs take
	 * @param deathAfter time of silence after which a process is declared dead
	 * @param updates decides which orders are payloads of the ordered job
	 */
	static Order draw(int number, Random random, Lengths lengths, Duration deathAfter, Updates updates) {
		double drawn = random.nextDouble();
		int millis = switch (lengths) {
			// Most jobs are brief, so that three workers keep up with the default load.
			case VARIED -> (int) (LONGEST * Math.pow(drawn, 4));
			case MIXED -> (drawn < 1.0 / ONE_SLOW_OF) ? SLOW : 0;
		};
		if (random.nextInt(ONE_LONG_OF) == 0) {
			// The job takes long enough to still be running elsewhere when the process
			// that was declared dead comes back.
			millis = (int) (deathAfter.toMillis() * (1 + random.nextDouble()) / 2);
		}
		int failures = (random.nextInt(10) == 0) ? 1 + random.nextInt(2) : 0;
		return new Order(number, millis, failures, updates.draw(random));
	}

	String queue() {
		return (this.update != null) ? ORDERED : QUEUES.get(this.number % QUEUES.size());
	}

	/**
	 * How long jobs take. In each case, one job in 1,000 takes at least half as long as
	 * it takes to detect the death of a process.
	 */
	enum Lengths {

		/**
		 * Jobs take up to 200 ms, most of them much less.
		 */
		VARIED,

		/**
		 * Most jobs take no time, so that many are claimed ahead, and one in 100 takes
		 * 500 ms.
		 */
		MIXED;

		static Lengths parse(String name) {
			for (Lengths lengths : values()) {
				if (lengths.toString().equals(name)) {
					return lengths;
				}
			}
			throw new IllegalArgumentException("--lengths has to be 'varied' or 'mixed', not '%s'".formatted(name));
		}

		@Override
		public String toString() {
			return name().toLowerCase(Locale.ROOT);
		}

	}

}
