package io.github.steadyjobs.server;

import java.util.List;

import io.github.steadyjobs.JobStoreDamagedException;
import io.github.steadyjobs.JobStoreException;
import io.github.steadyjobs.JobStoreNotReadyException;
import io.github.steadyjobs.JobStoreTimeoutException;
import io.github.steadyjobs.JobStoreUnavailableException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What failures mean for the claims of a capsule, and for the connection that they go
 * over. Used by one thread.
 */
final class ClaimFailures {

	private static final Logger logger = LoggerFactory.getLogger(ClaimFailures.class);

	private final WorkerParts parts;

	private final FetchWatch watch;

	private @Nullable JobStoreException last;

	ClaimFailures(WorkerParts parts, FetchWatch watch) {
		this.parts = parts;
		this.watch = watch;
	}

	/**
	 * Take note of a failure.
	 * @return whether its claim was not carried out, and needs no answer
	 */
	boolean add(FetchedQueue queue, JobStoreException failure) {
		if (failure instanceof JobStoreDamagedException) {
			this.parts.outage().succeeded(queue);
			this.watch.answered();
			if (queue.stop()) {
				logger.error("No jobs are taken from queue {} until it is repaired, and other queues go on: {}",
						queue.name(), this.parts.damage().apply(queue.name()));
			}
			return true;
		}
		this.parts.outage().failed(queue, failure);
		if (failure instanceof JobStoreNotReadyException) {
			// The claim stays without answer: this may have been the refusal of a second
			// copy, and the first one may have been carried out.
			this.watch.answered();
		}
		else if (failure instanceof JobStoreTimeoutException) {
			this.watch.unanswered();
		}
		else if (failure instanceof JobStoreUnavailableException) {
			this.watch.unanswered();
		}
		this.last = failure;
		return false;
	}

	/**
	 * Take note that there was no connection to send claims over.
	 */
	void addUnsent(List<FetchedQueue> queues, JobStoreException failure) {
		this.last = failure;
		queues.forEach((queue) -> this.parts.outage().failed(queue, failure));
		if (failure instanceof JobStoreUnavailableException) {
			this.watch.unanswered();
		}
	}

	boolean hasAny() {
		return this.last != null;
	}

	/**
	 * Throw what went wrong since this was called last.
	 */
	void throwLast() {
		JobStoreException failure = this.last;
		if (failure != null) {
			this.last = null;
			throw failure;
		}
	}

}
