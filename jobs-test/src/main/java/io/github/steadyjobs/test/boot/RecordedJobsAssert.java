package io.github.steadyjobs.test.boot;

import java.util.List;
import java.util.function.Predicate;
import java.util.stream.Stream;

import io.github.steadyjobs.JobCall;
import io.github.steadyjobs.JobPayload;
import io.github.steadyjobs.JobRequest;
import org.assertj.core.api.AbstractAssert;
import tools.jackson.databind.JsonNode;

import org.springframework.transaction.support.TransactionSynchronizationManager;

/**
 * Assertions about the jobs that a test has enqueued. A failed assertion lists the jobs.
 */
public final class RecordedJobsAssert extends AbstractAssert<RecordedJobsAssert, RecordedJobs> {

	RecordedJobsAssert(RecordedJobs jobs) {
		super(jobs, RecordedJobsAssert.class);
	}

	/**
	 * Verify that the job that takes a given type of argument was enqueued.
	 * @param <T> the type
	 * @param argument the type
	 * @return assertions about the jobs with such an argument
	 */
	public <T> EnqueuedAssert<T> hasEnqueued(Class<T> argument) {
		String name = this.actual.expectations().nameOf(argument);
		return hasEnqueued("job '%s'".formatted(name), argument, (job) -> this.actual.expectations().hasName(job, name),
				(job) -> false);
	}

	/**
	 * Verify that a job was enqueued.
	 * @param name the name of the job, which may belong to another application
	 * @return assertions about the jobs with this name
	 */
	public EnqueuedAssert<JsonNode> hasEnqueued(String name) {
		return hasEnqueued("job '%s'".formatted(name), JsonNode.class,
				(job) -> this.actual.expectations().hasName(job, name), (job) -> false);
	}

	/**
	 * Verify that a job was enqueued with the arguments of a call. The arguments are
	 * compared in their stored form.
	 * @param <T> the class or interface with the method of the job
	 * @param jobClass the class or interface with the method of the job
	 * @param call calls the method, as for {@link JobRequest#of(Class, JobCall)}
	 * @return assertions about the matching jobs
	 */
	public <T> EnqueuedAssert<JsonNode> hasEnqueued(Class<T> jobClass, JobCall<T> call) {
		Expectations expectations = this.actual.expectations();
		JobPayload expected = expectations.expected(JobRequest.of(jobClass, call));
		Predicate<RecordedJob> named = (job) -> expectations.hasName(job, expected.name());
		String arguments = expected.arguments().toString();
		return hasEnqueued("job %s(%s)".formatted(expected.name(), arguments.substring(1, arguments.length() - 1)),
				JsonNode.class, named.and((job) -> job.payload().arguments().equals(expected.arguments())), named);
	}

	private <T> EnqueuedAssert<T> hasEnqueued(String expected, Class<T> type, Predicate<RecordedJob> wanted,
			Predicate<RecordedJob> near) {
		List<RecordedJob> jobs = this.actual.enqueued();
		List<RecordedJob> found = jobs.stream().filter(wanted).toList();
		if (found.isEmpty()) {
			List<RecordedJob> elsewhere = this.actual.unseen()
				.stream()
				.flatMap((recording) -> recording.enqueued().stream())
				.filter(wanted)
				.toList();
			String nearest = Stream.concat(jobs.stream().filter(near), elsewhere.stream())
				.findFirst()
				.map((job) -> elsewhere.contains(job)
						? "%nNearest: %s%n  but the thread '%s' has enqueued it".formatted(job, job.thread())
						: "%nNearest: %s%n  but its arguments differ".formatted(job))
				.orElse("");
			throw failed("Expected %s to be enqueued, but it was not.%s".formatted(expected, nearest));
		}
		return new EnqueuedAssert<>(this, expected, type, found);
	}

	/**
	 * Verify that a job was not enqueued.
	 * @param argument the type of the argument that the job takes
	 * @return this
	 */
	public RecordedJobsAssert hasNotEnqueued(Class<?> argument) {
		return hasNotEnqueued(this.actual.expectations().nameOf(argument));
	}

	/**
	 * Verify that a job was not enqueued.
	 * @param name the name of the job, which has to be known in this context
	 * @return this
	 */
	public RecordedJobsAssert hasNotEnqueued(String name) {
		// A misspelt name would never be found.
		if (!this.actual.expectations().isKnown(name)) {
			throw failed("No bean has a job '%s', so this assertion could not fail.".formatted(name));
		}
		if (this.actual.enqueued().stream().anyMatch((job) -> this.actual.expectations().hasName(job, name))) {
			throw failed("Expected no job '%s' to be enqueued, but there is one.".formatted(name));
		}
		return this;
	}

	/**
	 * Verify that nothing was enqueued.
	 * @return this
	 */
	public RecordedJobsAssert hasEnqueuedNothing() {
		if (!this.actual.enqueued().isEmpty()) {
			throw failed("Expected no job to be enqueued, but there are some.");
		}
		return this;
	}

	/**
	 * Verify that nothing was enqueued besides the jobs that earlier assertions of this
	 * test have found.
	 * @return this
	 */
	public RecordedJobsAssert hasEnqueuedNothingElse() {
		List<RecordedJob> others = this.actual.enqueued().stream().filter((job) -> !this.actual.isFound(job)).toList();
		if (!others.isEmpty()) {
			throw failed("Expected nothing else to be enqueued, but no assertion has found this:" + lines(others));
		}
		return this;
	}

	RecordedJobs jobs() {
		return this.actual;
	}

	/** Return the failure of an assertion, with everything that was enqueued. */
	AssertionError failed(String what) {
		StringBuilder message = new StringBuilder(what);
		List<RecordedJob> jobs = this.actual.enqueued();
		message.append(jobs.isEmpty() ? "%nThis test has enqueued no job.".formatted()
				: "%nThis test has enqueued:%s".formatted(lines(jobs)));
		append(message, "Not stored:", this.actual.dropped());
		append(message, "Enqueued by other threads, which this test does not see without ofAllThreads():",
				this.actual.unseen()
					.stream()
					.flatMap((recording) -> recording.enqueued().stream())
					.map((job) -> "%s, by thread '%s'".formatted(job, job.thread()))
					.toList());
		if (TransactionSynchronizationManager.isActualTransactionActive()) {
			message.append("%nA transaction is active here. Jobs that were enqueued in it are stored when it commits; "
				.formatted());
			message.append("a test with @Transactional never commits, unless it calls TestTransaction.");
		}
		message.append("%n%s".formatted(this.actual.expectations().known()));
		return failure("%s", message);
	}

	private static void append(StringBuilder message, String title, List<String> lines) {
		if (!lines.isEmpty()) {
			message.append("%n%s%s".formatted(title, lines(lines)));
		}
	}

	private static String lines(List<?> jobs) {
		StringBuilder lines = new StringBuilder();
		jobs.forEach((job) -> lines.append("%n  - %s".formatted(job)));
		return lines.toString();
	}

}
