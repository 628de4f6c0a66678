package io.github.steadyjobs.client;

import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.List;

import io.github.steadyjobs.EnqueueResult;

/**
 * The jobs of one bulk push, while they are made ready.
 */
final class Batch {

	private final List<EnqueueResult> results;

	private final List<PreparedJob> direct;

	private final List<PreparedJob> deferred = new ArrayList<>(0);

	private final boolean transaction;

	Batch(Iterable<?> requests, boolean transaction) {
		int expected = (requests instanceof Collection<?> collection) ? collection.size() : 10;
		this.results = new ArrayList<>(expected);
		this.direct = new ArrayList<>(transaction ? 0 : expected);
		this.transaction = transaction;
	}

	/**
	 * Take a job that has come through the interceptors.
	 */
	EnqueueResult accept(PreparedJob job) {
		if (this.transaction && !job.options().beforeCommit()) {
			this.deferred.add(job);
			return job.deferred();
		}
		this.direct.add(job);
		return job.stored();
	}

	int size() {
		return this.results.size();
	}

	void add(EnqueueResult result) {
		this.results.add(result);
	}

	/**
	 * Return the jobs to store now.
	 */
	List<PreparedJob> direct() {
		return this.direct;
	}

	/**
	 * Return the jobs to store after the commit.
	 */
	List<PreparedJob> deferred() {
		return this.deferred;
	}

	/**
	 * Return what is true once the jobs to store now are stored, in order of the
	 * requests.
	 */
	List<EnqueueResult> results() {
		return Collections.unmodifiableList(this.results);
	}

}
