package io.github.steadyjobs.samples.quickstart;

import java.time.Instant;
import java.util.List;
import java.util.Map;

import io.github.steadyjobs.recurring.RecurringJobs;
import io.github.steadyjobs.redis.QueueMonitor;
import io.github.steadyjobs.samples.quickstart.PhotoCensus.Count;

import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RestController;

/**
 * Returns the number of jobs in each queue, and details of a recurring job.
 */
@RestController
class JobsController {

	// The queues in application.yml, in the same order.
	private static final List<String> QUEUES = List.of("photos", "default", "low");

	private final QueueMonitor monitor;

	private final RecurringJobs recurring;

	private final PhotoCensus census;

	JobsController(QueueMonitor monitor, RecurringJobs recurring, PhotoCensus census) {
		this.monitor = monitor;
		this.recurring = recurring;
		this.census = census;
	}

	@GetMapping("/queues")
	Map<String, QueueMonitor.Sample> queues() {
		return this.monitor.sample(QUEUES);
	}

	@GetMapping("/census")
	Census census() {
		List<Instant> next = this.recurring.find(PhotoCensus.NAME).map((state) -> state.next()).orElse(List.of());
		return new Census(next, this.census.latest());
	}

	/**
	 * Details of a recurring job.
	 *
	 * @param next the next times at which it runs, at most five; empty while it is paused
	 * @param runs the latest runs, newest first
	 */
	record Census(List<Instant> next, List<Count> runs) {

	}

}
