package io.github.steadyjobs.test.boot;

import java.util.List;
import java.util.Objects;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import io.github.steadyjobs.JobOutcome;

/**
 * The runs of a drain, in the order in which they ended.
 *
 * @param runs how each run has ended
 */
public record Drained(List<RunResult> runs) {

	public Drained {
		runs = List.copyOf(runs);
	}

	/**
	 * Return how many runs had the given outcome.
	 * @param outcome the outcome
	 * @return the number of runs
	 */
	public int count(JobOutcome outcome) {
		return (int) this.runs.stream().filter((run) -> run.outcome() == outcome).count();
	}

	/**
	 * Return how many runs were successful.
	 * @return the number of runs
	 */
	public int done() {
		return count(JobOutcome.DONE);
	}

	/**
	 * Return how many runs have failed: runs after which the job is retried, and runs
	 * after which it is dead or, if it is not kept as dead, discarded.
	 * @return the number of runs
	 */
	public int failed() {
		return (int) this.runs.stream().filter(RunResult::failed).count();
	}

	/**
	 * Throw the first failure, if there is one, with the other failures as suppressed
	 * exceptions. A run whose job was discarded on request has not failed.
	 */
	public void rethrow() {
		List<RunResult> failed = this.runs.stream().filter(RunResult::failed).toList();
		if (!failed.isEmpty()) {
			Throwable first = Objects.requireNonNull(failed.get(0).failure());
			failed.stream()
				.flatMap((run) -> Stream.ofNullable(run.failure()))
				.filter((other) -> other != first && !List.of(first.getSuppressed()).contains(other))
				.forEach(first::addSuppressed);
			failed.get(0).rethrow();
		}
	}

	@Override
	public String toString() {
		return this.runs.stream().map(RunResult::toString).collect(Collectors.joining("\n  ", "Drained:\n  ", ""));
	}

}
