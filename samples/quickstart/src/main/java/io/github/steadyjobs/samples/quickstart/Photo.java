package io.github.steadyjobs.samples.quickstart;

import java.time.Instant;
import java.util.List;
import java.util.Locale;
import java.util.UUID;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonInclude.Include;
import com.fasterxml.jackson.annotation.JsonValue;
import io.github.steadyjobs.JobContext;
import org.jspecify.annotations.Nullable;

/**
 * A photo and how far its thumbnails are. This is also what the site answers.
 *
 * @param id the id of the photo
 * @param state how far its thumbnails are
 * @param sizes the thumbnails there are
 * @param name the name of the file that was uploaded
 * @param uploadedAt when it was uploaded
 * @param attempt the last attempt to make thumbnails, once one has failed
 * @param maxAttempts how many attempts there are, once one has failed
 * @param error why the last attempt that failed did so
 */
@JsonInclude(Include.NON_NULL)
record Photo(UUID id, State state, List<PhotoSize> sizes, String name, Instant uploadedAt, @Nullable Integer attempt,
		@Nullable Integer maxAttempts, @Nullable String error) {

	static Photo queued(UUID id, String name) {
		return new Photo(id, State.QUEUED, List.of(), name, Instant.now(), null, null, null);
	}

	Photo working(JobContext job) {
		return (this.error != null) ? unfinished(State.WORKING, job, this.error)
				: new Photo(this.id, State.WORKING, List.of(), this.name, this.uploadedAt, null, null, null);
	}

	Photo failed(JobContext job, Throwable failure) {
		String message = failure.getMessage();
		return unfinished(State.FAILED, job, (message != null) ? message : failure.getClass().getSimpleName());
	}

	Photo ready() {
		return new Photo(this.id, State.READY, List.of(PhotoSize.values()), this.name, this.uploadedAt, null, null,
				null);
	}

	boolean isReady() {
		return this.state == State.READY;
	}

	private Photo unfinished(State state, JobContext job, String error) {
		return new Photo(this.id, state, List.of(), this.name, this.uploadedAt, job.attempt(), job.maxAttempts(),
				error);
	}

	/**
	 * How far the thumbnails of a photo are.
	 */
	enum State {

		/**
		 * The job waits.
		 */
		QUEUED,

		/**
		 * The job runs.
		 */
		WORKING,

		/**
		 * The thumbnails are there.
		 */
		READY,

		/**
		 * The last attempt failed. Unless it was the last there is, the job runs again.
		 */
		FAILED;

		@JsonValue
		String value() {
			return name().toLowerCase(Locale.ROOT);
		}

	}

}
