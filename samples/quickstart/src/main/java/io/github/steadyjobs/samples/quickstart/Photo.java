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
 * A photo and the state of its thumbnails. The site also returns this record as JSON.
 *
 * @param id the id of the photo
 * @param state the state of its thumbnails
 * @param sizes the sizes of the existing thumbnails
 * @param name the name of the file that was uploaded
 * @param demo whether the photo was painted to generate load, rather than uploaded
 * @param addedAt when the photo was added
 * @param failure the last failed attempt to make thumbnails; {@code null} if no attempt
 * has failed, or the latest attempt has succeeded
 */
@JsonInclude(Include.NON_NULL)
record Photo(UUID id, State state, List<PhotoSize> sizes, String name, boolean demo, Instant addedAt,
		@Nullable Failure failure) {

	static Photo uploaded(UUID id, String name) {
		return new Photo(id, State.QUEUED, List.of(), name, false, Instant.now(), null);
	}

	static Photo demo(UUID id, int number) {
		return new Photo(id, State.QUEUED, List.of(), "demo-" + number + ".jpg", true, Instant.now(), null);
	}

	Photo working() {
		return with(State.WORKING, List.of(), this.failure);
	}

	Photo failed(JobContext job, Throwable failure) {
		return with(State.FAILED, List.of(), Failure.of(job, failure));
	}

	Photo ready() {
		return with(State.READY, List.of(PhotoSize.values()), null);
	}

	boolean isReady() {
		return this.state == State.READY;
	}

	private Photo with(State state, List<PhotoSize> sizes, @Nullable Failure failure) {
		return new Photo(this.id, state, sizes, this.name, this.demo, this.addedAt, failure);
	}

	/**
	 * A failed attempt to make thumbnails.
	 *
	 * @param jobId the id of the job, which also appears in the log
	 * @param attempt the number of the attempt, from 1
	 * @param maxAttempts the maximum number of attempts
	 * @param message the reason for the failure
	 */
	record Failure(String jobId, int attempt, int maxAttempts, String message) {

		private static Failure of(JobContext job, Throwable failure) {
			String message = failure.getMessage();
			return new Failure(job.id(), job.attempt(), job.maxAttempts(),
					(message != null) ? message : failure.getClass().getSimpleName());
		}

	}

	/**
	 * The state of the thumbnails of a photo.
	 */
	enum State {

		/**
		 * The job is waiting.
		 */
		QUEUED,

		/**
		 * The job is running.
		 */
		WORKING,

		/**
		 * The thumbnails exist.
		 */
		READY,

		/**
		 * The latest attempt failed. If attempts are left, the job runs again.
		 */
		FAILED;

		@JsonValue
		String value() {
			return name().toLowerCase(Locale.ROOT);
		}

	}

}
