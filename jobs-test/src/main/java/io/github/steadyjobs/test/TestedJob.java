package io.github.steadyjobs.test;

import io.github.steadyjobs.DiscardJobException;
import io.github.steadyjobs.JobRequest;
import io.github.steadyjobs.KillJobException;
import io.github.steadyjobs.ServerInterceptor;
import io.github.steadyjobs.SnoozeJobException;
import io.github.steadyjobs.definition.JobDefinition;
import io.github.steadyjobs.definition.JobRegistry;
import io.github.steadyjobs.redis.PayloadCodec;

import org.springframework.context.ApplicationContext;

/**
 * A job under test, with its arguments.
 */
final class TestedJob {

	private static final int DEFAULT_RETRIES = 25;

	private final JobDefinition definition;

	private final RequestCapture captured;

	private final ApplicationContext context;

	private TestedJob(JobDefinition definition, RequestCapture captured, ApplicationContext context) {
		this.definition = definition;
		this.captured = captured;
		this.context = context;
	}

	/**
	 * Find the job of a request.
	 * @throws AssertionError if the application cannot run the job
	 * @throws io.github.steadyjobs.InvalidJobException if the request would be refused
	 */
	static TestedJob find(JobRequest request, ApplicationContext context) {
		if (context.getBeanProvider(JobRegistry.class).getIfAvailable() == null) {
			throw new AssertionError(
					"The context has no JobRegistry, so no jobs are known. Test the whole application, "
							+ "for example with @SpringBootTest, and leave steadyjobs.enabled on: that needs no Redis.");
		}
		RequestCapture captured = RequestCapture.of(request, context);
		String name = context.getBean(PayloadCodec.class).read(captured.payload()).name();
		JobDefinition definition = context.getBean(JobRegistry.class).find(name);
		if (definition == null || !definition.hasBean()) {
			throw new AssertionError("Job '%s' has no bean in this context, so it cannot run here. Known are: %s"
				.formatted(name, context.getBean(JobRegistry.class).names().stream().sorted().toList()));
		}
		return new TestedJob(definition, captured, context);
	}

	/**
	 * Make sure that the job is declared idempotent or is an ordered job, which may also
	 * repeat a payload.
	 * @throws AssertionError if the job is declared otherwise or not at all
	 */
	void requireIdempotent() {
		switch (this.definition.declaration()) {
			case NOT_IDEMPOTENT -> throw new AssertionError(
					"%s says that it is not idempotent. Test what guards against a second run, ".formatted(this)
							+ "or make it idempotent and say so.");
			case UNDECLARED -> {
				if (this.definition.sequence() == null) {
					throw new AssertionError(
							"%s does not say that it is idempotent. Put @Idempotent beside its @Job: what "
								.formatted(this) + "this test checks is what that promises.");
				}
			}
			case IDEMPOTENT -> {
				// The job is declared as required.
			}
		}
	}

	/**
	 * Return whether an exception ends a run without a failure, because the job is
	 * discarded or runs again later.
	 */
	boolean endsQuietlyBy(Throwable failure) {
		return failure instanceof DiscardJobException || failure instanceof SnoozeJobException
				|| (!(failure instanceof KillJobException) && this.definition.retry().types().isDiscarded(failure));
	}

	JobRuns runs() {
		int retries = this.context.getEnvironment().getProperty("steadyjobs.retry.max", Integer.class, DEFAULT_RETRIES);
		return new JobRuns(this.definition, this.captured, this.context.getBean(PayloadCodec.class),
				this.context.getBeanProvider(ServerInterceptor.class).orderedStream().toList(), retries);
	}

	@Override
	public String toString() {
		return "Job " + this.definition;
	}

}
