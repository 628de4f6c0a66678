package io.github.steadyjobs.samples.quickstart;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;

import io.github.steadyjobs.Idempotent;
import io.github.steadyjobs.Job;
import io.github.steadyjobs.JobClient;
import io.github.steadyjobs.JobRequest;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import org.springframework.stereotype.Component;

/**
 * Keeps the contact sheet, a picture of all photos, up to date.
 */
@Component
class ContactSheets {

	private static final Duration DELAY = Duration.ofSeconds(2);

	private static final Logger logger = LoggerFactory.getLogger(ContactSheets.class);

	private final PhotoStore store;

	private final JobClient jobs;

	private Instant nextBuild = Instant.MIN;

	ContactSheets(PhotoStore store, JobClient jobs) {
		this.store = store;
		this.jobs = jobs;
	}

	/**
	 * Schedule a build of the contact sheet two seconds from now, unless one is already
	 * scheduled. So a burst of photos causes only a few builds.
	 */
	synchronized void requestSoon() {
		Instant now = Instant.now();
		// A build that is not due yet will include all changes up to now.
		if (!now.isBefore(this.nextBuild)) {
			this.jobs.enqueue(JobRequest.of(ContactSheets.class, ContactSheets::build).after(DELAY));
			this.nextBuild = now.plus(DELAY);
		}
	}

	@Job(queue = "low")
	@Idempotent
	void build() throws IOException {
		List<Path> thumbnails = this.store.findAll()
			.stream()
			.filter(Photo::isReady)
			.map((photo) -> this.store.thumbnail(photo.id(), PhotoSize.SMALL))
			.toList();
		if (thumbnails.isEmpty()) {
			Files.deleteIfExists(this.store.contactSheet());
		}
		else {
			this.store.replace(this.store.contactSheet(), new JpegWriter(ContactSheetPainter.paint(thumbnails)));
		}
		logger.info("Contact sheet shows {} photos", thumbnails.size());
	}

}
