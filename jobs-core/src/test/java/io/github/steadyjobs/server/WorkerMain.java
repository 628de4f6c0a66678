package io.github.steadyjobs.server;

import java.time.Duration;
import java.util.Arrays;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Supplier;

import io.github.steadyjobs.JobContext;
import io.github.steadyjobs.WorkerEvent;
import io.github.steadyjobs.support.TestRedis;

import org.springframework.data.redis.core.StringRedisTemplate;

/**
 * The main class of a {@link WorkerJvm}: workers whose jobs follow instructions in Redis.
 */
public final class WorkerMain {

	private static final String PROCESS = Long.toString(ProcessHandle.current().pid());

	private final TestRedis redis;

	private final StringRedisTemplate template;

	private WorkerMain(String url, String prefix) {
		this.redis = TestRedis.shared(url, prefix);
		this.template = this.redis.template();
	}

	public static void main(String[] args) throws InterruptedException {
		WorkerMain main = new WorkerMain(args[0], args[1]);
		WorkerFixture worker = main.start(Duration.parse(args[2]), Duration.parse(args[3]), Integer.parseInt(args[4]),
				Arrays.copyOfRange(args, 5, args.length));
		Runtime.getRuntime().addShutdownHook(new Thread(worker::close));
		// The worker threads are daemon threads, so this thread must not end.
		Thread.currentThread().join();
	}

	private WorkerFixture start(Duration beat, Duration deathAfter, int concurrency, String[] queues) {
		return WorkerFixture.on(this.redis)
			.beat(beat)
			.deathAfter(deathAfter)
			.capsule("default", concurrency, Capsule.Order.STRICT, queues(queues))
			.jobs(this::run)
			.bean(new OrderedTestJobs(this::run))
			.onEvent(this::told)
			.start();
	}

	private static Capsule.Queue[] queues(String[] names) {
		return Arrays.stream(names)
			.map((name) -> name.equals(OrderedTestJobs.QUEUE) ? Capsule.Queue.inParts(name, 1, 2, 1)
					: new Capsule.Queue(name, 1, name.startsWith(WorkerJvm.ONCE)))
			.toArray(Capsule.Queue[]::new);
	}

	private void told(WorkerEvent event) {
		if (!(event instanceof WorkerEvent.Beat)) {
			this.template.opsForList().rightPush(WorkerJvm.key(this.redis, "events"), PROCESS + " " + event);
		}
	}

	private void run(int number, JobContext job) {
		note("begun", number);
		Object order = order(number);
		if (WorkerJvm.HALT.equals(order)) {
			Runtime.getRuntime().halt(1);
		}
		while (WorkerJvm.HOLD.equals(order)) {
			LockSupport.parkNanos(Duration.ofMillis(10).toNanos());
			// Ignore interrupts, so that the job continues to its end. Redis must then
			// refuse the result.
			Thread.interrupted();
			order = order(number);
		}
		note("ended", number);
	}

	private Object order(int number) {
		return uninterrupted(() -> this.template.opsForHash().get(WorkerJvm.key(this.redis, "orders"), "" + number));
	}

	private void note(String what, int number) {
		uninterrupted(
				() -> this.template.opsForList().rightPush(WorkerJvm.key(this.redis, what), PROCESS + " " + number));
	}

	/**
	 * Access Redis on another thread, because an interrupted command would fail, and the
	 * job would fail with it.
	 */
	private static <T> T uninterrupted(Supplier<T> command) {
		return CompletableFuture.supplyAsync(command).join();
	}

}
