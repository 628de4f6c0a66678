package io.github.steadyjobs.samples.quickstart;

import java.util.List;
import java.util.Map;

import io.github.steadyjobs.redis.QueueMonitor;

import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RestController;

/**
 * Shows how many jobs there are.
 */
@RestController
class JobsController {

	// Those of application.yml, in its order.
	private static final List<String> QUEUES = List.of("photos", "default", "low");

	private final QueueMonitor monitor;

	JobsController(QueueMonitor monitor) {
		this.monitor = monitor;
	}

	@GetMapping("/jobs")
	Map<String, QueueMonitor.Sample> jobs() {
		return this.monitor.sample(QUEUES);
	}

}
