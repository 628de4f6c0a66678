package io.github.steadyjobs.benchmarks.chaos;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.Deque;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/**
 * Draws faults at random. The same seed and options result in the same plan.
 */
final class FaultPlan {

	/**
	 * Roughly how long a worker takes to start, in milliseconds.
	 */
	private static final long START_UP = 8000;

	private final ChaosOptions options;

	private final Random random;

	private final List<Fault> kinds;

	/**
	 * The kinds of faults in the order in which they are injected. All kinds are injected
	 * equally often.
	 */
	private final Deque<Fault> deck = new ArrayDeque<>();

	/**
	 * When each worker will be available again after the faults planned so far.
	 */
	private final long[] backAt;

	private final Set<Integer> spared;

	private final long leastGap;

	private final long mostGap;

	private long lastLongPauseEnds;

	private FaultPlan(ChaosOptions options, long leastGap, long mostGap) {
		this.options = options;
		this.leastGap = leastGap;
		this.mostGap = mostGap;
		this.random = new Random(options.load().seed());
		this.kinds = options.faults().stream().sorted().toList();
		this.backAt = new long[options.fleet().workers()];
		this.spared = this.random.ints(0, this.backAt.length)
			.distinct()
			.limit(options.fleet().spare())
			.boxed()
			.collect(Collectors.toSet());
	}

	static List<PlannedFault> draw(ChaosOptions options) {
		return draw(options, 300, 2000);
	}

	/**
	 * Draw the faults of a run.
	 * @param leastGap minimum number of milliseconds from one fault to the next
	 * @param mostGap maximum number of milliseconds from one fault to the next
	 */
	static List<PlannedFault> draw(ChaosOptions options, long leastGap, long mostGap) {
		return options.faults().isEmpty() ? List.of() : new FaultPlan(options, leastGap, mostGap).drawAll();
	}

	private List<PlannedFault> drawAll() {
		List<PlannedFault> plan = new ArrayList<>();
		long end = this.options.load().seconds() * 1000L;
		for (long at = gap(); at < end; at += gap()) {
			Fault fault = deal();
			int target = target(fault, at);
			long length = length(fault, at);
			Cut cut = Cut.values()[this.random.nextInt(Cut.values().length)];
			if (target >= 0) {
				plan.add(new PlannedFault(at, fault, target, length, cut));
				reserve(fault, target, at, length);
			}
			else {
				this.deck.addLast(fault);
			}
		}
		return plan;
	}

	private long gap() {
		return between(this.leastGap, this.mostGap);
	}

	private Fault deal() {
		if (this.deck.isEmpty()) {
			List<Fault> shuffled = new ArrayList<>(this.kinds);
			Collections.shuffle(shuffled, this.random);
			this.deck.addAll(shuffled);
		}
		return this.deck.removeFirst();
	}

	/**
	 * Return the target, or -1 if no worker may be hit now: another worker must be left
	 * to run jobs, unless there is only one.
	 */
	private int target(Fault fault, long at) {
		int workers = this.backAt.length;
		if (!fault.takesWorkerAway()) {
			return this.random.nextInt(workers + 1);
		}
		int[] present = IntStream.range(0, workers).filter((worker) -> this.backAt[worker] <= at).toArray();
		int[] takable = Arrays.stream(present).filter((worker) -> !this.spared.contains(worker)).toArray();
		int chosen = this.random.nextInt(workers);
		boolean another = present.length > 1 || workers == 1;
		return (another && takable.length > 0) ? takable[chosen % takable.length] : -1;
	}

	private long length(Fault fault, long at) {
		return switch (fault) {
			case PAUSE -> pause(at);
			case KILL, STOP -> between(500, 4000);
			case CUT -> between(50, 3000);
			case SLOW -> between(2000, 6000);
			case REDIS_RESTART, MASTER_KILL -> between(0, 2000);
			case OLDER_DATA -> between(500, 5000);
			default -> 0;
		};
	}

	private long pause(long at) {
		long brief = between(200, 3000);
		long taken = this.options.timing().pause().toMillis();
		// In half of all cases, a pause is long enough for the worker to be declared
		// dead, unless it would overlap another such pause.
		if (this.random.nextBoolean() || at < this.lastLongPauseEnds) {
			return brief;
		}
		return taken;
	}

	private void reserve(Fault fault, int target, long at, long length) {
		if (fault.takesWorkerAway()) {
			this.backAt[target] = at + length + ((fault != Fault.PAUSE) ? START_UP : 0);
		}
		if (fault == Fault.PAUSE && length == this.options.timing().pause().toMillis()) {
			this.lastLongPauseEnds = at + length;
		}
	}

	private long between(long least, long below) {
		return this.random.nextLong(least, below);
	}

}
