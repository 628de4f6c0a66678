package io.github.steadyjobs.samples.quickstart;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

import io.github.steadyjobs.redis.QueueMonitor;
import io.github.steadyjobs.redis.QueueSample;

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
	Map<String, QueueSample> jobs() {
		List<QueueSample> samples = this.monitor.sample(QUEUES);
		Map<String, QueueSample> jobs = new LinkedHashMap<>();
		for (int i = 0; i < samples.size(); i++) {
			jobs.put(QUEUES.get(i), samples.get(i));
		}
		return jobs;
	}

}
