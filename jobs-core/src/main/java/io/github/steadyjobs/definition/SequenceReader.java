package io.github.steadyjobs.definition;

import java.lang.reflect.Type;
import java.util.Arrays;
import java.util.List;

import io.github.steadyjobs.Job;
import io.github.steadyjobs.Names;
import io.github.steadyjobs.Sequential;
import io.github.steadyjobs.arguments.BeanMethod;
import io.github.steadyjobs.arguments.ExpressionScope;
import io.github.steadyjobs.arguments.JobExpression;
import io.github.steadyjobs.definition.Sequence.Form;
import org.jspecify.annotations.Nullable;

import org.springframework.core.annotation.AnnotatedElementUtils;

/**
 * Reads and checks what a job declares about its order, if anything. Used once.
 */
final class SequenceReader {

	private static final String DEFAULT_QUEUE = "default";

	private final BeanMethod<Job> method;

	private final JobReading reading;

	private final @Nullable Sequential annotation;

	private final Form form;

	SequenceReader(BeanMethod<Job> method, JobReading reading) {
		this.method = method;
		this.reading = reading;
		this.annotation = find(method);
		this.form = (this.annotation != null) ? Form.of(method) : Form.ONE;
	}

	private static @Nullable Sequential find(BeanMethod<Job> job) {
		Sequential onMethod = AnnotatedElementUtils.findMergedAnnotation(job.method(), Sequential.class);
		return (onMethod != null || AnnotatedElementUtils.hasAnnotation(job.method(), Job.class)) ? onMethod
				: AnnotatedElementUtils.findMergedAnnotation(job.type(), Sequential.class);
	}

	boolean isOrdered() {
		return this.annotation != null;
	}

	/** Return the types of the arguments of one enqueue call. */
	List<Type> payload() {
		return this.form.payload(this.method);
	}

	/**
	 * Return the queue of the job. An ordered job's queue is named after the job unless
	 * the annotation or the configuration names another queue.
	 */
	String queue(String annotated) {
		String queue = this.reading.queue(annotated);
		String name = this.reading.name();
		if (this.annotation == null || this.reading.settings().sets(JobOption.QUEUE) || !queue.equals(DEFAULT_QUEUE)) {
			return queue;
		}
		if (Names.isJobName(name) && !Names.isName(name)) {
			this.reading.report("is @Sequential and needs a queue to itself, which cannot have the name of the job",
					"Set one: @Job(queue = \"…\"), with %s.".formatted(Names.RULE));
			return queue;
		}
		return name;
	}

	/**
	 * Return the maximum number of retries of the job, or {@code null} if it is not set
	 * or invalid.
	 * @param annotated the value of {@link Job#retries()}
	 */
	@Nullable Integer retries(int[] annotated) {
		if (this.annotation == null) {
			return this.reading.number(JobOption.RETRIES, annotated);
		}
		int[] own = { this.annotation.retries() };
		if (annotated.length > 0 && !Arrays.equals(annotated, own)) {
			this.reading.report("has %d retries by @Job, but %d by @Sequential".formatted(annotated[0], own[0]),
					"Set retries at @Sequential alone.");
		}
		return this.reading.number(JobOption.RETRIES, own);
	}

	/**
	 * Read the annotation.
	 * @return the sequence; {@code null} if there is no annotation, or if there is a
	 * problem
	 */
	@Nullable Sequence read(boolean idempotent) {
		this.reading.checkNeeded(Sequential.class, this.annotation != null);
		if (this.annotation == null) {
			return null;
		}
		if (idempotent) {
			this.reading.report("is both @Sequential and @Idempotent",
					"Remove @Idempotent: payloads of a key gather by themselves, and equal ones are kept once, so there is nothing for a lock to do. If it is on the class for other jobs, put @NotIdempotent(\"…\") on this one.");
		}
		int keys = this.reading.option(JobOption.BATCH_SIZE, this.annotation.batchSize());
		int shards = this.reading.option(JobOption.SHARDS, this.annotation.shards());
		if (JobOption.BATCH_SIZE.check(keys, this.reading::report)) {
			checkForm(keys);
		}
		JobOption.SHARDS.check(shards, this.reading::report);
		if (this.reading.resolve(this.annotation.key()).isEmpty()) {
			this.reading.report("is @Sequential without a key",
					"Say what belongs together, as in @Sequential(key = \"#order.id\").");
		}
		JobExpression key = expression("key", this.annotation.key());
		JobExpression score = expression("score", this.annotation.score());
		return (key != null) ? new Sequence(this.form, keys, shards, key, score) : null;
	}

	private void checkForm(int keys) {
		if (keys > 1 && this.form != Form.MAP) {
			this.reading.report("has batchSize = %d, but its method takes no map of keys".formatted(keys),
					"Let it take a Map<String, List<…>> of payloads by key, and maybe a JobContext, or set batchSize to 1.");
		}
		if (keys == 1 && this.form == Form.MAP) {
			this.reading.report("takes a map of payloads by key, but its batchSize is 1",
					"Set batchSize to the number of keys that one call may take, or let the method take a List, the payloads of one key.");
		}
	}

	private @Nullable JobExpression expression(String attribute, String annotated) {
		List<Type> types = payload();
		return this.reading.expression(
				ExpressionScope.ofArguments(Sequential.class, attribute, this.method, types, types.size() == 1),
				annotated);
	}

}
