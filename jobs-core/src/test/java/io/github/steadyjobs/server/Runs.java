package io.github.steadyjobs.server;

import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;

import io.github.steadyjobs.JobContext;

/**
 * Records which jobs ran, and holds jobs while a gate is closed. Initially, the gate is
 * open.
 */
public final class Runs implements TestJobs.Body {

	private final List<Integer> begun = new CopyOnWriteArrayList<>();

	private final List<Integer> ended = new CopyOnWriteArrayList<>();

	private volatile CountDownLatch gate = new CountDownLatch(0);

	/**
	 * Return an instance whose runs do not end before {@link #release()} is called.
	 */
	public static Runs held() {
		Runs runs = new Runs();
		runs.gate = new CountDownLatch(1);
		return runs;
	}

	@Override
	public void run(int number, JobContext job) throws Exception {
		this.begun.add(number);
		if (!this.gate.await(60, TimeUnit.SECONDS)) {
			throw new IllegalStateException("Nobody released the jobs");
		}
		this.ended.add(number);
	}

	/**
	 * Run the job, ignoring interrupts.
	 */
	public void runStubbornly(int number, JobContext job) throws Exception {
		while (true) {
			try {
				run(number, job);
				return;
			}
			catch (InterruptedException ex) {
				// The interrupt is ignored.
			}
		}
	}

	public void release() {
		this.gate.countDown();
	}

	/**
	 * Return the numbers of the jobs, in the order in which they began.
	 */
	public List<Integer> begun() {
		return this.begun;
	}

	public List<Integer> ended() {
		return this.ended;
	}

	public void awaitBegun(int count) {
		WorkerFixture.await().until(() -> this.begun.size() >= count);
	}

	public void awaitEnded(int count) {
		WorkerFixture.await().until(() -> this.ended.size() >= count);
	}

	public static List<Integer> numbers(int from, int to) {
		return IntStream.range(from, to).boxed().toList();
	}

}
