package io.github.steadyjobs.samples.quickstart;

import java.util.List;
import java.util.UUID;
import java.util.stream.IntStream;

import io.github.steadyjobs.JobClient;
import io.github.steadyjobs.JobRequest;

import org.springframework.http.HttpStatus;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.ResponseStatus;
import org.springframework.web.bind.annotation.RestController;
import org.springframework.web.server.ResponseStatusException;

/**
 * Generates load on request.
 */
@RestController
class DemoController {

	private static final int MAX_PHOTOS = 2000;

	private final JobClient jobs;

	DemoController(JobClient jobs) {
		this.jobs = jobs;
	}

	@PostMapping("/demo")
	@ResponseStatus(HttpStatus.ACCEPTED)
	Demo demo(@RequestParam(defaultValue = "200") int photos) {
		if (photos < 1 || photos > MAX_PHOTOS) {
			throw new ResponseStatusException(HttpStatus.BAD_REQUEST,
					"Parameter 'photos' must be between 1 and " + MAX_PHOTOS);
		}
		List<JobRequest> requests = IntStream.rangeClosed(1, photos).mapToObj(DemoController::paint).toList();
		this.jobs.enqueueAll(requests);
		return new Demo(photos);
	}

	private static JobRequest paint(int number) {
		UUID photoId = UUID.randomUUID();
		return JobRequest.of(DemoJobs.class, (demo) -> demo.paint(photoId, number));
	}

	record Demo(int photos) {

	}

}
