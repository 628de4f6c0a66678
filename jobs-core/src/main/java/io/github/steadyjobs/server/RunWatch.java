package io.github.steadyjobs.server;

import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

import io.github.steadyjobs.JobOutcome;
import io.github.steadyjobs.ServerInterceptor;
import io.github.steadyjobs.WorkerEvent;
import io.github.steadyjobs.definition.JobDefinition;
import io.github.steadyjobs.server.WorkerSettings.Oversight;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.event.Level;

/**
 * Logs the start and end of runs, slow runs, and runs that do not end. Thread safe.
 */
final class RunWatch {

	/** The logger's name is documented, so that users can filter its messages. */
	private static final Logger logger = LoggerFactory.getLogger("io.github.steadyjobs.runs");

	private final Oversight settings;

	private final WorkerEvents events;

	private final Timeouts timeouts;

	private Map<UnitOfWork, Duration> nextReports = Map.of();

	RunWatch(Oversight settings, WorkerEvents events, Timeouts timeouts) {
		this.settings = settings;
		this.events = events;
		this.timeouts = timeouts;
	}

	Timeouts timeouts() {
		return this.timeouts;
	}

	/**
	 * Wrap a run in logging. All interceptors are outside the logging, so that log lines
	 * carry the log context that interceptors set, such as a trace.
	 */
	ServerInterceptor.Chain watched(UnitOfWork job, ServerInterceptor.Chain run) {
		Duration slowAfter = this.settings.slowAfter(name(job));
		if (slowAfter.isZero() && !this.settings.logRuns()) {
			return run;
		}
		return () -> {
			if (this.settings.logRuns()) {
				logger.info("Job {} begins attempt {} of {}", job, job.attempt(), job.maxAttempts());
			}
			String thrown = null;
			long start = System.nanoTime();
			try {
				run.proceed();
			}
			catch (Throwable ex) {
				thrown = ex.getClass().getName();
				throw ex;
			}
			finally {
				ended(job, Duration.ofNanos(System.nanoTime() - start), thrown, slowAfter);
			}
		};
	}

	/** Return the current name of a job, which may have been stored under an alias. */
	private static String name(UnitOfWork job) {
		JobDefinition definition = job.definition();
		return (definition != null) ? definition.name() : job.name();
	}

	private void ended(UnitOfWork job, Duration ran, @Nullable String thrown, Duration slowAfter) {
		String end = (thrown == null) ? "is done" : "has thrown " + thrown;
		JobOutcome outcome = (thrown == null) ? JobOutcome.DONE : null;
		if (!slowAfter.isZero() && ran.compareTo(slowAfter) > 0) {
			RunLine.at(logger, Level.WARN, outcome, ran)
				.log("Job {} {} after {}, which is slow: more than {}", job, end, ThreadDump.seconds(ran),
						ThreadDump.seconds(slowAfter));
			this.events.publish(new WorkerEvent.SlowRun(job.queue(), job.name(), job.id(), ran));
		}
		else if (this.settings.logRuns()) {
			RunLine.at(logger, Level.INFO, outcome, ran).log("Job {} {} after {}", job, end, ThreadDump.seconds(ran));
		}
	}

	/**
	 * Report runs that take too long. Each run is reported once, and again whenever its
	 * duration has doubled since the last report.
	 */
	synchronized void look(List<WorkerRun> runs) {
		Map<UnitOfWork, Duration> next = new HashMap<>();
		for (WorkerRun run : runs) {
			Duration stuckAfter = run.work().isRead() ? this.settings.stuckAfter(name(run.work())) : Duration.ZERO;
			if (!stuckAfter.isZero()) {
				Duration due = this.nextReports.getOrDefault(run.work(), stuckAfter);
				next.put(run.work(), (run.lasted().compareTo(due) > 0) ? report(run) : due);
			}
		}
		// Forget runs that have ended.
		this.nextReports = next;
	}

	private Duration report(WorkerRun run) {
		Duration lasted = run.lasted();
		Duration next = lasted.multipliedBy(2);
		StringBuilder stack = new StringBuilder();
		ThreadDump.append(stack, run.thread().getStackTrace());
		if (run.work().isUnderWay()) {
			RunLine.at(logger, Level.WARN, null, lasted)
				.log("Job {} has been running for {} and may be stuck. If it goes on, the next report comes after "
						+ "{}. Thread {} is here:\n{}", run.work(), ThreadDump.seconds(lasted),
						ThreadDump.seconds(next), run.thread().getName(), stack);
			this.events
				.publish(new WorkerEvent.StuckRun(run.work().queue(), run.work().name(), run.work().id(), lasted));
		}
		return next;
	}

}
