package io.github.steadyjobs.test;

import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;

import io.github.steadyjobs.JobContext;
import io.github.steadyjobs.JobPayload;
import io.github.steadyjobs.ServerInterceptor;
import io.github.steadyjobs.arguments.JobParameters;
import io.github.steadyjobs.definition.JobDefinition;
import io.github.steadyjobs.definition.Sequence;
import io.github.steadyjobs.definition.Sequence.Form;
import io.github.steadyjobs.redis.PayloadCodec;
import org.jspecify.annotations.Nullable;

/**
 * Runs a job several times, as if workers received the same job repeatedly. The first two
 * runs are the same attempt, as after a crash, and further runs are retries. An ordered
 * job has one payload.
 */
final class JobRuns {

	private final JobDefinition definition;

	private final RequestCapture captured;

	private final PayloadCodec codec;

	private final List<ServerInterceptor> interceptors;

	private final int defaultRetries;

	JobRuns(JobDefinition definition, RequestCapture captured, PayloadCodec codec, List<ServerInterceptor> interceptors,
			int defaultRetries) {
		this.definition = definition;
		this.captured = captured;
		this.codec = codec;
		this.interceptors = interceptors;
		this.defaultRetries = defaultRetries;
	}

	/**
	 * Run the job on a separate thread, so that state bound to the thread of the test,
	 * such as a transaction or a user, does not affect it.
	 * @param run the number of the run, 1 for the first
	 * @return whether the job was called; interceptors may prevent the call
	 * @throws Throwable if the job throws an exception or error
	 */
	boolean run(int run) throws Throwable {
		FutureTask<Boolean> task = new FutureTask<>(() -> call(run));
		Thread thread = new Thread(task, "job-run-" + run);
		thread.start();
		try {
			return task.get();
		}
		catch (ExecutionException ex) {
			throw (ex.getCause() != null) ? ex.getCause() : ex;
		}
		catch (InterruptedException ex) {
			// The thread of the test was interrupted, probably because of a timeout.
			thread.interrupt();
			throw ex;
		}
	}

	private boolean call(int run) throws Exception {
		// Read the arguments again, so that no run sees changes that an earlier run made
		// to them.
		JobPayload payload = repeated(this.codec.read(this.captured.payload()), run);
		RunContext context = new RunContext(payload, run, payload.retries(this.defaultRetries) + 1, this.codec);
		@Nullable Object[] arguments = bind(payload, context);
		boolean[] called = { false };
		proceed(this.interceptors.iterator(), context, () -> {
			called[0] = true;
			this.definition.call(arguments);
		});
		return called[0];
	}

	private @Nullable Object[] bind(JobPayload payload, JobContext context) {
		Sequence sequence = this.definition.sequence();
		JobParameters parameters = this.definition.parameters();
		return (sequence == null || sequence.form() == Form.ONE) ? parameters.bind(payload, context)
				: parameters.bindAll(Map.of(this.captured.key(), List.of(payload)), context);
	}

	private static void proceed(Iterator<ServerInterceptor> rest, JobContext context, ServerInterceptor.Chain last)
			throws Exception {
		if (rest.hasNext()) {
			rest.next().intercept(context, () -> proceed(rest, context, last));
		}
		else {
			last.proceed();
		}
	}

	private static JobPayload repeated(JobPayload payload, int run) {
		int failures = run - 2;
		return (failures <= 0) ? payload : payload.with((json) -> {
			json.put("retry_count", failures - 1);
			json.put("at", System.currentTimeMillis());
		});
	}

}
