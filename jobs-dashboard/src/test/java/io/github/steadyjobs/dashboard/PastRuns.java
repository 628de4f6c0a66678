package io.github.steadyjobs.dashboard;

import java.lang.reflect.Proxy;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;

import io.github.steadyjobs.JobContext;
import io.github.steadyjobs.JobOutcome;
import io.github.steadyjobs.admin.JobHistory;
import io.github.steadyjobs.admin.RunHistory;
import io.github.steadyjobs.redis.RedisConnections;

/**
 * Writes a history of runs that never took place.
 */
final class PastRuns {

	private final RedisConnections connections;

	private final String prefix;

	PastRuns(RedisConnections connections, String prefix) {
		this.connections = connections;
		this.prefix = prefix;
	}

	/**
	 * Add runs of {@code MailJobs.send}.
	 * @param runs the number of runs
	 * @param failed the number of these runs that failed
	 */
	void add(Instant at, int runs, int failed) {
		RunHistory history = new RunHistory(this.connections, this.prefix, clock(at));
		JobContext job = (JobContext) Proxy.newProxyInstance(JobContext.class.getClassLoader(),
				new Class<?>[] { JobContext.class }, (proxy, method, arguments) -> "MailJobs.send");
		for (int i = 0; i < runs; i++) {
			history.started(job, Duration.ofMillis(i % 30));
			history.ended(job, (i < failed) ? JobOutcome.RETRY : JobOutcome.DONE, Duration.ofMillis(i * 7 % 200));
		}
		history.flush().join();
	}

	void mark(Instant at, String label) {
		new JobHistory(this.connections, this.prefix, clock(at)).mark(label);
	}

	private static Clock clock(Instant time) {
		return Clock.fixed(time, ZoneOffset.UTC);
	}

}
