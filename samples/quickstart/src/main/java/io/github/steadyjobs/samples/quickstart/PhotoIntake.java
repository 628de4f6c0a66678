package io.github.steadyjobs.samples.quickstart;

import java.io.IOException;
import java.io.InputStream;
import java.util.List;
import java.util.UUID;

import io.github.steadyjobs.JobClient;
import io.github.steadyjobs.JobContext;
import io.github.steadyjobs.JobRequest;
import io.github.steadyjobs.JobStoreException;

import org.springframework.stereotype.Component;

/**
 * Accepts photos: stores them and enqueues their jobs.
 */
@Component
class PhotoIntake {

	private final PhotoStore store;

	private final JobClient jobs;

	private final QuickstartProperties properties;

	PhotoIntake(PhotoStore store, JobClient jobs, QuickstartProperties properties) {
		this.store = store;
		this.jobs = jobs;
		this.properties = properties;
	}

	/**
	 * Accept a photo. A second call with the same id does not add a second photo.
	 * @return the id of the job that makes its thumbnails
	 */
	String add(Photo photo, InputStream picture) throws IOException {
		if (this.store.find(photo.id()).isEmpty()) {
			// Store the photo before the job is enqueued, because the job may run
			// immediately.
			this.store.add(photo, picture);
		}
		try {
			return enqueueJobs(photo.id());
		}
		catch (JobStoreException ex) {
			// Without its job, the photo would stay queued for ever.
			this.store.delete(photo.id());
			throw ex;
		}
	}

	private String enqueueJobs(UUID photoId) {
		JobRequest thumbnails = JobRequest.of(PhotoJobs.class,
				(photos) -> photos.thumbnails(photoId, JobContext.none()));
		JobRequest expire = JobRequest.of(PhotoJobs.class, (photos) -> photos.expire(photoId))
			.after(this.properties.keep());
		return this.jobs.enqueueAll(List.of(thumbnails, expire)).get(0).id();
	}

}
