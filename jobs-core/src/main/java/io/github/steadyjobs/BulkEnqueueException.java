package io.github.steadyjobs;

import java.util.ArrayList;
import java.util.Collections;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.StringJoiner;

import org.jspecify.annotations.Nullable;

import org.springframework.util.Assert;

/**
 * Thrown when part of a bulk push fails. {@link #outcomes()} returns the outcome of each
 * request, and {@link #results()} the results that are available. The cause is the
 * exception of one of the failed calls.
 */
public class BulkEnqueueException extends JobStoreException {

	private final transient List<@Nullable EnqueueResult> results;

	private final List<Outcome> outcomes;

	/**
	 * Create an exception.
	 * @param results the result of each request, in order; {@code null} if there is none
	 * @param outcomes the outcome of each request, in order
	 * @param cause the exception of a failed call
	 */
	public BulkEnqueueException(List<@Nullable EnqueueResult> results, List<Outcome> outcomes, Throwable cause) {
		super((cause instanceof JobStoreException known) ? known.reason() : Reason.REFUSED,
				message(outcomes) + cause.getMessage(), cause);
		Assert.isTrue(results.size() == outcomes.size(), "Each request must have a result or null, and an outcome");
		this.results = Collections.unmodifiableList(new ArrayList<>(results));
		this.outcomes = List.copyOf(outcomes);
	}

	private static String message(List<Outcome> outcomes) {
		Map<Outcome, Integer> counts = new EnumMap<>(Outcome.class);
		outcomes.forEach((outcome) -> counts.merge(outcome, 1, Integer::sum));
		int answered = counts.getOrDefault(Outcome.ANSWERED, 0);
		StringJoiner parts = new StringJoiner(", ", " (", "): ");
		counts.forEach((outcome, count) -> {
			if (outcome != Outcome.ANSWERED) {
				parts.add(count + outcome.words);
			}
		});
		return (outcomes.size() - answered) + " of " + outcomes.size() + " jobs were not "
				+ (counts.containsKey(Outcome.DOUBTFUL) ? "confirmed" : "stored") + parts;
	}

	/**
	 * Return the result of each request, in order; {@code null} where Redis returned no
	 * result.
	 */
	public List<@Nullable EnqueueResult> results() {
		return this.results;
	}

	/** Return the outcome of each request, in order. */
	public List<Outcome> outcomes() {
		return this.outcomes;
	}

	/** The outcome of one request of a bulk push that partly failed. */
	public enum Outcome {

		/** Redis answered. The result says what happened to the job. */
		ANSWERED(" answered"),

		/** Redis refused the request. The job is not stored. */
		REFUSED(" refused"),

		/**
		 * The request was sent but not answered, so the job may be stored. Enqueueing it
		 * again may make it run twice.
		 */
		DOUBTFUL(" may be stored"),

		/** The request was not sent. The job is not stored. */
		NOT_SENT(" not sent");

		private final String words;

		Outcome(String words) {
			this.words = words;
		}

	}

}
