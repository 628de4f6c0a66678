package io.github.steadyjobs.definition;

import java.lang.reflect.Type;
import java.util.List;
import java.util.function.UnaryOperator;

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

	private static final int MOST_KEYS = 1_000;

	private static final int MOST_SHARDS = 1_024;

	private final BeanMethod<Job> method;

	private final @Nullable Sequential annotation;

	private final String name;

	private final UnaryOperator<String> placeholders;

	private final Problems problems;

	private final Form form;

	SequenceReader(BeanMethod<Job> method, String name, UnaryOperator<String> placeholders, Problems problems) {
		this.method = method;
		this.annotation = find(method);
		this.name = name;
		this.placeholders = placeholders;
		this.problems = problems;
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

	/**
	 * Return the types of the arguments of one enqueue.
	 */
	List<Type> payload() {
		return this.form.payload(this.method);
	}

	/**
	 * Return the queue of the job. That of an ordered one is named after it, unless
	 * annotation or configuration name another.
	 */
	String queue(String annotated, @Nullable String override) {
		String chosen = (override != null) ? override : this.placeholders.apply(annotated);
		if (this.annotation == null || override != null || !chosen.equals(DEFAULT_QUEUE)) {
			return chosen;
		}
		if (Names.isJobName(this.name) && !Names.isName(this.name)) {
			report("is @Sequential and needs a queue to itself, which cannot have the name of the job",
					"Set one: @Job(queue = \"…\"), with %s.".formatted(Names.RULE));
			return chosen;
		}
		return this.name;
	}

	@Nullable Integer retries(@Nullable Integer annotated) {
		if (this.annotation == null) {
			return annotated;
		}
		int own = this.annotation.retries();
		if (annotated != null && annotated != own) {
			report("has %d retries by @Job, and %d by @Sequential".formatted(annotated, own),
					"Set retries at @Sequential alone.");
		}
		else if (own < 0) {
			report("has %d retries".formatted(own), "Use 0 for none.");
		}
		return Math.max(own, 0);
	}

	/**
	 * Read the annotation.
	 * @return what was read; {@code null} if there is no annotation, or a problem
	 */
	@Nullable Sequence read(JobSettings override, boolean idempotent) {
		Integer batchSize = override.batchSize();
		Integer shards = override.shards();
		if (this.annotation == null) {
			if (batchSize != null || shards != null) {
				report("is not @Sequential, but configuration sets its %s"
					.formatted((batchSize != null) ? "batch-size" : "shards"),
						"Put @Sequential on the method, or remove 'batch-size' and 'shards' from 'steadyjobs.jobs.%s'."
							.formatted(this.name));
			}
			return null;
		}
		if (idempotent) {
			report("is both @Sequential and @Idempotent",
					"Remove @Idempotent: payloads of a key gather by themselves, and equal ones are kept once, so there is nothing for a lock to do. If it is on the class for other jobs, put @NotIdempotent(\"…\") on this one.");
		}
		int keys = (batchSize != null) ? batchSize : this.annotation.batchSize();
		if (isWithin("batchSize", keys, MOST_KEYS)) {
			checkForm(keys);
		}
		int parts = (shards != null) ? shards : this.annotation.shards();
		isWithin("shards", parts, MOST_SHARDS);
		ArgumentExpression key = expression("key", this.annotation.key());
		if (this.placeholders.apply(this.annotation.key()).isBlank()) {
			report("is @Sequential without a key",
					"Say what belongs together, as in @Sequential(key = \"#order.id\").");
		}
		ArgumentExpression score = expression("score", this.annotation.score());
		return (key != null) ? new Sequence(this.form, keys, parts, key, score) : null;
	}

	private boolean isWithin(String attribute, int value, int most) {
		boolean within = value >= 1 && value <= most;
		if (!within) {
			report("is @Sequential with %s = %d".formatted(attribute, value), "Use 1 to %d.".formatted(most));
		}
		return within;
	}

	private void checkForm(int keys) {
		if (keys > 1 && this.form != Form.MAP) {
			report("takes up to %d keys a call, and its method no map of them".formatted(keys),
					"Let it take a Map<String, List<…>> of payloads by key, and maybe a JobContext, or set batchSize to 1.");
		}
		if (keys == 1 && this.form == Form.MAP) {
			report("takes a map of payloads by key, and its batchSize is 1",
					"Set batchSize to the number of keys that one call may take, or let the method take a List of payloads, which are those of one key.");
		}
	}

	private @Nullable ArgumentExpression expression(String attribute, String annotated) {
		String text = this.placeholders.apply(annotated);
		if (text.isBlank() || text.contains("${")) {
			return null;
		}
		List<Type> types = payload();
		return ArgumentExpression.read(
				new Attribute(Sequential.class, attribute, this.method, (types.size() == 1) ? types.get(0) : null),
				text, (what, action) -> report("has the %s %s".formatted(attribute, what), action));
	}

	private void report(String what, String action) {
		this.problems.add("Job '%s' (%s) %s.".formatted(this.name, this.method, what), action);
	}

}
