package io.github.steadyjobs.definition;

import java.lang.reflect.Type;
import java.util.List;

import io.github.steadyjobs.Job;
import io.github.steadyjobs.Names;
import io.github.steadyjobs.Sequential;
import io.github.steadyjobs.arguments.ArgumentExpression;
import io.github.steadyjobs.arguments.ArgumentExpression.Attribute;
import io.github.steadyjobs.arguments.BeanMethod;
import io.github.steadyjobs.definition.Sequence.Form;
import org.jspecify.annotations.Nullable;

import org.springframework.core.annotation.AnnotatedElementUtils;

/**
 * Reads and checks what a job says about its order, if it says something. Used once.
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
		Sequential found = find(method);
		this.annotation = (found != null) ? reading.settings().over(found) : null;
		this.form = (found != null) ? Form.of(method) : Form.ONE;
	}

	private static @Nullable Sequential find(BeanMethod<Job> job) {
		Sequential onMethod = AnnotatedElementUtils.findMergedAnnotation(job.method(), Sequential.class);
		return (onMethod != null || AnnotatedElementUtils.hasAnnotation(job.method(), Job.class)) ? onMethod
				: AnnotatedElementUtils.findMergedAnnotation(job.type(), Sequential.class);
	}

	boolean isOrdered() {
		return this.annotation != null;
	}

	/** Return the types of the arguments of one enqueue. */
	List<Type> payload() {
		return this.form.payload(this.method);
	}

	/**
	 * Return the queue of the job. That of an ordered one is named after it, unless
	 * annotation or configuration name another.
	 */
	String queue(String queue) {
		String chosen = this.reading.resolve(queue);
		if (this.annotation == null || this.reading.settings().sets(JobOption.QUEUE) || !chosen.equals(DEFAULT_QUEUE)) {
			return chosen;
		}
		if (Names.isJobName(this.reading.name()) && !Names.isName(this.reading.name())) {
			this.reading.report("is @Sequential and needs a queue to itself, which cannot have the name of the job",
					"Set one: @Job(queue = \"…\"), with %s.".formatted(Names.RULE));
			return chosen;
		}
		return this.reading.name();
	}

	/**
	 * Return the retries of the job.
	 * @param annotated those of {@link Job}
	 */
	@Nullable Integer retries(@Nullable Integer annotated) {
		if (this.annotation == null) {
			return annotated;
		}
		int own = this.annotation.retries();
		if (annotated != null && annotated != own) {
			this.reading.report("has %d retries by @Job, and %d by @Sequential".formatted(annotated, own),
					"Set retries at @Sequential alone.");
		}
		else {
			JobOption.RETRIES.check(own, this.reading::report);
		}
		return own;
	}

	/**
	 * Read the annotation.
	 * @return what was read; {@code null} if there is no annotation, or a problem
	 */
	@Nullable Sequence read(boolean idempotent) {
		if (this.annotation == null) {
			return null;
		}
		if (idempotent) {
			this.reading.report("is both @Sequential and @Idempotent",
					"Remove @Idempotent: payloads of a key gather by themselves, and equal ones are kept once, so there is nothing for a lock to do. If it is on the class for other jobs, put @NotIdempotent(\"…\") on this one.");
		}
		int keys = this.annotation.batchSize();
		int shards = this.annotation.shards();
		if (JobOption.BATCH_SIZE.check(keys, this.reading::report)) {
			checkForm(keys);
		}
		JobOption.SHARDS.check(shards, this.reading::report);
		ArgumentExpression key = expression("key", this.annotation.key());
		if (this.reading.resolve(this.annotation.key()).isBlank()) {
			this.reading.report("is @Sequential without a key",
					"Say what belongs together, as in @Sequential(key = \"#order.id\").");
		}
		ArgumentExpression score = expression("score", this.annotation.score());
		return (key != null) ? new Sequence(this.form, keys, shards, key, score) : null;
	}

	private void checkForm(int keys) {
		if (keys > 1 && this.form != Form.MAP) {
			this.reading.report("takes up to %d keys a call, and its method no map of them".formatted(keys),
					"Let it take a Map<String, List<…>> of payloads by key, and maybe a JobContext, or set batchSize to 1.");
		}
		if (keys == 1 && this.form == Form.MAP) {
			this.reading.report("takes a map of payloads by key, and its batchSize is 1",
					"Set batchSize to the number of keys that one call may take, or let the method take a List of payloads, which are those of one key.");
		}
	}

	private @Nullable ArgumentExpression expression(String attribute, String annotated) {
		String text = this.reading.resolve(annotated);
		if (text.isBlank() || text.contains("${")) {
			return null;
		}
		List<Type> types = payload();
		return ArgumentExpression.read(
				new Attribute(Sequential.class, attribute, this.method, (types.size() == 1) ? types.get(0) : null),
				text, (what, action) -> this.reading.report("has the %s %s".formatted(attribute, what), action));
	}

}
