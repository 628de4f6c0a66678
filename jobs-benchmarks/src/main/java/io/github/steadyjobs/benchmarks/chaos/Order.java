package io.github.steadyjobs.benchmarks.chaos;

import java.util.List;
import java.util.Random;

/**
 * The argument of a job.
 *
 * @param number number of the job
 * @param millis how long it takes
 * @param failures in how many attempts it fails before it succeeds
 */
record Order(int number, int millis, int failures) {

	private static final int LONGEST = 200;

	/**
	 * The queues that jobs go to. More than one, for a process may lose one of them and
	 * keep the other.
	 */
	static final List<String> QUEUES = List.of("chaos-a", "chaos-b");

	static Order draw(int number, Random random) {
		// Most are brief, so that three workers keep up with the default load.
		int millis = (int) (LONGEST * Math.pow(random.nextDouble(), 4));
		int failures = (random.nextInt(10) == 0) ? 1 + random.nextInt(2) : 0;
		return new Order(number, millis, failures);
	}

	String queue() {
		return QUEUES.get(this.number % QUEUES.size());
	}

}
