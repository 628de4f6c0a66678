package io.github.steadyjobs.definition;

import java.lang.annotation.Annotation;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.function.Function;

import io.github.steadyjobs.Names;
import io.github.steadyjobs.arguments.ExpressionScope;
import io.github.steadyjobs.arguments.JobExpression;
import org.jspecify.annotations.Nullable;

/**
 * Reads the annotations of one job: resolves placeholders, applies overrides from the
 * configuration, checks values, and reports problems. Used once.
 */
final class JobReading {

	private final String place;

	private final Function<String, @Nullable String> placeholders;

	private final Problems problems;

	private final String name;

	private final JobSettings settings;

	/**
	 * Start to read the annotations of a job.
	 * @param place the location of the annotations, for problem reports
	 * @param placeholders resolves placeholders; throws {@link IllegalArgumentException}
	 * if it cannot resolve one of them
	 */
	JobReading(String place, String name, Function<String, @Nullable String> placeholders,
			Map<String, JobSettings> settings, Problems problems) {
		this.place = place;
		this.placeholders = placeholders;
		this.problems = problems;
		this.name = name(name);
		this.settings = settings.getOrDefault(this.name, JobSettings.NONE);
	}

	String name() {
		return this.name;
	}

	/** Read the current name or a former name of the job. */
	String name(String annotated) {
		String read = resolve(annotated);
		if (!Names.isJobName(read) && !read.contains("${")) {
			this.problems.add("%s has the job name '%s'.".formatted(this.place, read),
					"Set a name of %s, as in @Job(name = \"invoice.send\").".formatted(Names.JOB_RULE));
		}
		return read;
	}

	JobSettings settings() {
		return this.settings;
	}

	Problems problems() {
		return this.problems;
	}

	/** Refuse settings that override an annotation, if the job lacks the annotation. */
	void checkNeeded(Class<? extends Annotation> annotation, boolean present) {
		List<String> set = this.settings.overriding(annotation);
		if (!present && !set.isEmpty()) {
			report("is not @%s, but configuration sets its %s".formatted(annotation.getSimpleName(),
					String.join(" and ", set)),
					"Put @%s on the method, or remove '%s' from 'steadyjobs.jobs.%s'."
						.formatted(annotation.getSimpleName(), String.join("' and '", set), this.name));
		}
	}

	/**
	 * Return the value of an option from the configuration or, if the option is not set
	 * there, from the annotation.
	 */
	@SuppressWarnings("unchecked")
	<T> T option(JobOption option, T annotated) {
		return (T) this.settings.values().getOrDefault(option, annotated);
	}

	/** Return the value of a number option, {@code null} if it is unset or invalid. */
	@Nullable Integer number(JobOption option, int[] annotated) {
		int[] set = option(option, annotated);
		if (set.length > 1) {
			report("has %s = %s".formatted(option.attribute(), Arrays.toString(set)),
					"Use one number, or leave it out for the default.");
		}
		return (set.length == 1 && option.check(set[0], this::report)) ? Integer.valueOf(set[0]) : null;
	}

	/** Return the name of a queue. */
	String queue(String annotated) {
		String queue = resolve(option(JobOption.QUEUE, annotated));
		if (!queue.contains("${")) {
			JobOption.QUEUE.check(queue, this::report);
		}
		return queue;
	}

	/** Return the value of a text option, {@code null} if it is unset or invalid. */
	@Nullable String text(JobOption option, String annotated) {
		String text = resolve(option(option, annotated));
		return (isSet(text) && option.check(text, this::report)) ? text : null;
	}

	/** Return the value of a duration option, {@code null} if it is unset or invalid. */
	@Nullable Duration time(JobOption option, String annotated) {
		String text = text(option, annotated);
		return (text != null) ? JobOption.time(text) : null;
	}

	/** Parse an expression. Returns {@code null} if it is unset or invalid. */
	@Nullable JobExpression expression(ExpressionScope scope, String annotated) {
		String text = resolve(annotated);
		return !isSet(text) ? null : JobExpression.read(scope, text,
				(what, action) -> report("has the %s '%s', %s".formatted(scope.attribute(), text, what), action));
	}

	/**
	 * Resolve placeholders.
	 * @return the resolved text; must not be used if there are problems
	 */
	String resolve(String text) {
		return text.isEmpty() ? text
				: this.problems.resolve("The annotation of " + this.place, text, this.placeholders).trim();
	}

	/** Return whether a text is not empty and contains no unresolved placeholder. */
	static boolean isSet(String text) {
		return !text.isEmpty() && !text.contains("${");
	}

	/** Report a problem, as the rest of a sentence about the job, and how to fix it. */
	void report(String what, String action) {
		this.problems.add("%s %s.".formatted(this, what), action);
	}

	@Override
	public String toString() {
		return "Job '%s' (%s)".formatted(this.name, this.place);
	}

}
