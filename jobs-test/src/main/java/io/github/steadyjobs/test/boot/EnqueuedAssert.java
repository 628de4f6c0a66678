package io.github.steadyjobs.test.boot;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.Function;

import org.jspecify.annotations.Nullable;
import tools.jackson.databind.node.ArrayNode;

/**
 * Assertions about some of the jobs that a test has enqueued. Each assertion keeps only
 * the jobs for which it is true, and fails if no job is left. However, {@link #once()}
 * and {@link #times(int)} only count the jobs that are left. So with
 * {@code hasEnqueued(…).inQueue("mail").once()}, there may be more such jobs in other
 * queues, but not with {@code hasEnqueued(…).once().inQueue("mail")}.
 *
 * @param <T> the type of the argument of the jobs
 */
public final class EnqueuedAssert<T> {

	private final RecordedJobsAssert origin;

	private final String expected;

	private final Class<T> type;

	private final List<RecordedJob> jobs;

	/** The jobs that no earlier assertion has found, until they are unmarked. */
	private List<RecordedJob> found;

	EnqueuedAssert(RecordedJobsAssert origin, String expected, Class<T> type, List<RecordedJob> jobs) {
		this.origin = origin;
		this.expected = expected;
		this.type = type;
		this.jobs = jobs;
		this.found = origin.jobs().found(jobs);
	}

	/**
	 * Verify that there is exactly one such job.
	 * @return this
	 */
	public EnqueuedAssert<T> once() {
		return times(1);
	}

	/**
	 * Verify how many such jobs there are.
	 * @param count the number of jobs
	 * @return this
	 */
	public EnqueuedAssert<T> times(int count) {
		if (this.jobs.size() != count) {
			unmark();
			throw this.origin.failed("Expected %s to be enqueued %s, but it was enqueued %s.".formatted(this.expected,
					times((long) count), times((long) this.jobs.size())));
		}
		return this;
	}

	private static String times(long count) {
		return (count == 1) ? "once" : count + " times";
	}

	/**
	 * Verify to which queue the job goes.
	 * @param queue the name of the queue
	 * @return assertions about the jobs of this queue
	 */
	public EnqueuedAssert<T> inQueue(String queue) {
		return equal("in queue '%s'".formatted(queue), queue, (job) -> job.payload().queue(), "its queue is");
	}

	/**
	 * Verify when the job is due.
	 * @param delay the time from enqueueing until it is due, zero if it is due at once
	 * @return assertions about the jobs with this delay
	 */
	public EnqueuedAssert<T> dueIn(Duration delay) {
		return equal("due in " + delay, delay, RecordedJob::dueIn, "it is due in");
	}

	/**
	 * Verify when the job is due.
	 * @param time the due time, which is compared in milliseconds
	 * @return assertions about the jobs with this due time
	 */
	public EnqueuedAssert<T> dueAt(Instant time) {
		return equal("due at " + time, time.toEpochMilli(), (job) -> job.dueAt().toEpochMilli(),
				"it is due at, in milliseconds,");
	}

	/**
	 * Verify that the job was stored after the commit of a transaction.
	 * @return assertions about the jobs that were stored then
	 */
	public EnqueuedAssert<T> afterCommit() {
		return equal("after the commit", RecordedJob.Moment.AFTER_COMMIT, RecordedJob::moment, "its moment is");
	}

	/**
	 * Verify a tag of the job.
	 * @param tag the tag
	 * @return assertions about the jobs with this tag
	 */
	public EnqueuedAssert<T> withTag(String tag) {
		return narrowed("with tag '%s'".formatted(tag),
				(job) -> job.payload().tags().contains(tag) ? null : "its tags are " + job.payload().tags());
	}

	/**
	 * Verify the argument of the job as the job gets it, read from what is stored.
	 * @param requirements throws an {@link AssertionError} if the argument does not meet
	 * the requirements
	 * @return assertions about the jobs with such an argument
	 */
	public EnqueuedAssert<T> withArgument(Consumer<? super T> requirements) {
		return satisfying(
				(job) -> requirements.accept(this.origin.jobs().expectations().firstArgument(job, this.type)));
	}

	/**
	 * Verify all arguments of the job, which are compared in their stored form.
	 * @param arguments the arguments
	 * @return assertions about the jobs with these arguments
	 */
	public EnqueuedAssert<T> withArguments(@Nullable Object... arguments) {
		ArrayNode wanted = this.origin.jobs().expectations().json(this.expected, arguments);
		return equal("with arguments " + wanted, wanted, (job) -> job.payload().arguments(), "its arguments are");
	}

	/**
	 * Verify that the job meets the given requirements.
	 * @param requirements throws an {@link AssertionError} if the job does not meet the
	 * requirements
	 * @return assertions about the jobs that meet the requirements
	 */
	public EnqueuedAssert<T> satisfying(Consumer<RecordedJob> requirements) {
		return narrowed("that meets the requirements", (job) -> {
			try {
				requirements.accept(job);
				return null;
			}
			catch (AssertionError ex) {
				return String.valueOf(ex.getMessage()).strip();
			}
		});
	}

	private EnqueuedAssert<T> equal(String wanted, Object value, Function<RecordedJob, Object> of, String otherwise) {
		return narrowed(wanted, (job) -> value.equals(of.apply(job)) ? null : otherwise + " " + of.apply(job));
	}

	/**
	 * Narrow the jobs down.
	 * @param miss returns why a job does not match, or {@code null} if it matches
	 */
	private EnqueuedAssert<T> narrowed(String wanted, Function<RecordedJob, @Nullable String> miss) {
		// First of all, because what a failed assertion has found must not count.
		unmark();
		String narrower = this.expected + " " + wanted;
		List<RecordedJob> left = this.jobs.stream().filter((job) -> miss.apply(job) == null).toList();
		if (left.isEmpty()) {
			RecordedJob nearest = this.jobs.get(0);
			throw this.origin.failed("Expected %s to be enqueued, but it was not.%nNearest: %s%n  but %s"
				.formatted(narrower, nearest, miss.apply(nearest)));
		}
		return new EnqueuedAssert<>(this.origin, narrower, this.type, left);
	}

	/** Undo the marks, but only once: another narrowing may have set them again. */
	private void unmark() {
		this.origin.jobs().notFound(this.found);
		this.found = List.of();
	}

}
