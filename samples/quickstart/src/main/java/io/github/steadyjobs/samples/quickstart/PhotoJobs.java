package io.github.steadyjobs.samples.quickstart;

import java.io.IOException;
import java.time.Duration;
import java.util.UUID;

import io.github.steadyjobs.Idempotent;
import io.github.steadyjobs.Job;
import io.github.steadyjobs.JobContext;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import org.springframework.stereotype.Component;

/**
 * The background jobs for a photo. Each job may run twice without harm, for example after
 * a crash.
 */
@Component
@Idempotent
class PhotoJobs {

	private static final Logger logger = LoggerFactory.getLogger(PhotoJobs.class);

	private final PhotoStore store;

	private final Thumbnailer thumbnailer;

	private final ContactSheets contactSheets;

	PhotoJobs(PhotoStore store, Thumbnailer thumbnailer, ContactSheets contactSheets) {
		this.store = store;
		this.thumbnailer = thumbnailer;
		this.contactSheets = contactSheets;
	}

	/**
	 * Make the thumbnails of a photo. After an exception, the job is retried up to three
	 * times. After that, it is dead.
	 */
	@Job(queue = "photos", retries = 3)
	void thumbnails(UUID photoId, JobContext job) throws IOException {
		Photo photo = this.store.find(photoId).orElse(null);
		if (photo == null) {
			logger.info("Photo {} is gone, so it needs no thumbnails", photoId);
			return;
		}
		if (!photo.isReady()) {
			makeThumbnails(photo, job);
		}
		this.contactSheets.requestSoon();
	}

	private void makeThumbnails(Photo photo, JobContext job) throws IOException {
		long start = System.nanoTime();
		this.store.save(photo.working());
		try {
			this.thumbnailer.makeThumbnails(photo.id());
		}
		catch (Throwable ex) {
			// The failure is saved only for display. The library logs the failure and
			// decides whether to retry the job.
			this.store.save(photo.failed(job, ex));
			throw ex;
		}
		this.store.save(photo.ready());
		logger.info("Thumbnails of photo {} ({}) ready in {} ms (attempt {} of {})", photo.id(), photo.name(),
				Duration.ofNanos(System.nanoTime() - start).toMillis(), job.attempt(), job.maxAttempts());
	}

	/**
	 * Delete a photo. This job is scheduled when the photo is added.
	 */
	@Job
	void expire(UUID photoId) throws IOException {
		this.store.delete(photoId);
		this.contactSheets.requestSoon();
		logger.info("Photo {} deleted, because it has expired", photoId);
	}

}
