package io.github.steadyjobs;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

import org.jspecify.annotations.Nullable;

/**
 * A part of a bulk push failed. The jobs that {@link #results()} has a result for are as
 * it says; of each other one the cause says what is true in Redis.
 */
public class BulkEnqueueException extends JobStoreException {

	private final transient List<@Nullable EnqueueResult> results;

	public BulkEnqueueException(List<@Nullable EnqueueResult> results, Throwable cause) {
		super("%d of %d jobs were not confirmed: %s"
			.formatted(results.stream().filter((result) -> result == null).count(), results.size(), cause.getMessage()),
				cause);
		this.results = Collections.unmodifiableList(new ArrayList<>(results));
	}

	/**
	 * Return the results so far.
	 * @return one for each request, in order; {@code null} where Redis gave no answer
	 */
	public List<@Nullable EnqueueResult> results() {
		return this.results;
	}

}
