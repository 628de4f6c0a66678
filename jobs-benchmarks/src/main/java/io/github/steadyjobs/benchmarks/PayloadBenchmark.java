package io.github.steadyjobs.benchmarks;

import java.util.List;
import java.util.UUID;
import java.util.concurrent.TimeUnit;

import io.github.steadyjobs.Job;
import io.github.steadyjobs.JobContext;
import io.github.steadyjobs.JobPayload;
import io.github.steadyjobs.JobRequest;
import io.github.steadyjobs.arguments.BeanMethod;
import io.github.steadyjobs.arguments.JobJson;
import io.github.steadyjobs.arguments.JobParameters;
import io.github.steadyjobs.redis.PayloadCodec;
import org.jspecify.annotations.Nullable;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.State;
import tools.jackson.databind.json.JsonMapper;

/**
 * Measures the cost of writing each job as JSON and reading it again.
 */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
public class PayloadBenchmark {

	private static final String ID = "019b76daa800a51c2d3e4f50";

	private static final long NOW = 1_767_225_600_000L;

	private final JsonMapper mapper = JobJson.builder().build();

	private final PayloadCodec codec = new PayloadCodec(this.mapper);

	private final Invoice invoice = new Invoice(UUID.fromString("019b76da-a800-7000-8000-000000000001"), "std", 12);

	private final JobRequest request = JobRequest.of(this.invoice).queue("mail");

	private final byte[] stored = write();

	private final JobPayload payload = read();

	private final BeanMethod<Job> method = BeanMethod.find(InvoiceJobs.class, Job.class).get(0);

	private final JobParameters parameters = JobParameters.of(this.method, this.method.argumentTypes(), this.mapper,
			(problem, advice) -> {
				throw new IllegalStateException(problem);
			});

	/**
	 * Write the JSON of a job that is enqueued.
	 * @return JSON in UTF-8
	 */
	@Benchmark
	public byte[] write() {
		return this.codec.write(ID, "invoice.send", List.of(this.invoice), this.request.options(), NOW, null).json();
	}

	/**
	 * Read the JSON of a claimed job. Its arguments are not read yet.
	 * @return the job
	 */
	@Benchmark
	public JobPayload read() {
		return this.codec.read(this.stored);
	}

	/**
	 * Convert the arguments to the types of the method's parameters.
	 * @return the values
	 */
	@Benchmark
	public @Nullable Object[] bind() {
		return this.parameters.bind(this.payload, JobContext.none());
	}

	/**
	 * An argument like those of real applications.
	 *
	 * @param id an id
	 * @param template a text
	 * @param copies a number
	 */
	record Invoice(UUID id, String template, int copies) {

	}

	/**
	 * Declares the job, which is never run.
	 */
	static class InvoiceJobs {

		@Job(name = "invoice.send", queue = "mail")
		void send(Invoice invoice, JobContext job) {
			throw new UnsupportedOperationException();
		}

	}

}
