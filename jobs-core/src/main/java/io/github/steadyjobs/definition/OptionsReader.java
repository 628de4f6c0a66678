package io.github.steadyjobs.definition;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.OptionalInt;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;

import io.github.steadyjobs.Job;
import io.github.steadyjobs.Names;
import io.github.steadyjobs.RetryDelay;
import io.github.steadyjobs.definition.RetryRules.FailureTypes;
import io.github.steadyjobs.idempotence.IdempotenceDefaults;
import org.jspecify.annotations.Nullable;

/**
 * Reads and checks how a job is to be tried. Used once.
 */
final class OptionsReader {

	private final Job annotation;

	private final String job;

	private final JobSettings settings;

	private final UnaryOperator<String> placeholders;

	private final Backoffs backoffs;

	private final Problems problems;

	/**
	 * Create a reader.
	 * @param job the name of the job and where it stands, for problems
	 * @param settings what configuration says about it
	 */
	OptionsReader(Job annotation, String job, JobSettings settings, UnaryOperator<String> placeholders,
			Backoffs backoffs, Problems problems) {
		this.annotation = annotation;
		this.job = job;
		this.settings = settings;
		this.placeholders = placeholders;
		this.backoffs = backoffs;
		this.problems = problems;
	}

	/**
	 * Read what is said about failures.
	 * @param retries the retries, as the annotations have them
	 */
	RetryRules retry(@Nullable Integer retries, boolean ordered) {
		OptionSettings override = this.settings.options();
		OptionalInt set = this.settings.retries();
		Integer limit = (set == null) ? retries : set.isPresent() ? Integer.valueOf(set.getAsInt()) : null;
		if (limit != null && limit < 0) {
			report("has %d retries".formatted(limit), "Use 0 for none, or leave it out for the default.");
		}
		Integer lines = (override.backtrace() != null) ? override.backtrace()
				: number("backtrace", this.annotation.backtrace());
		if (lines != null && lines < 0) {
			report("has backtrace = %d".formatted(lines), "Use 0 for none, or leave it out for the default.");
		}
		return new RetryRules(limit, time("retryFor", override.retryFor(), this.annotation.retryFor()),
				queue(override.retryQueue(), ordered), first(this.settings.dead(), this.annotation.dead()), lines,
				backoff(override.backoff()), types());
	}

	/**
	 * Return the retries of the annotation, {@code null} if it leaves them open.
	 */
	@Nullable Integer annotatedRetries() {
		return number("retries", this.annotation.retries());
	}

	private @Nullable Integer number(String attribute, int[] annotated) {
		if (annotated.length > 1) {
			report("has %s = %s".formatted(attribute, Arrays.toString(annotated)),
					"Use one number, or leave it out for the default.");
		}
		return (annotated.length == 1) ? Integer.valueOf(annotated[0]) : null;
	}

	private @Nullable String queue(@Nullable String override, boolean ordered) {
		String queue = (override != null) ? override : resolve(this.annotation.retryQueue());
		if (queue.isEmpty() || queue.contains("${")) {
			return null;
		}
		if (!Names.isName(queue)) {
			report("has retryQueue = '%s'".formatted(queue), "Use %s as the name of the queue.".formatted(Names.RULE));
		}
		else if (ordered) {
			report("is @Sequential and has retryQueue = '%s'".formatted(queue),
					"Remove 'retryQueue': an ordered job stays in its queue, with its key.");
		}
		return queue;
	}

	private @Nullable Supplier<RetryDelay> backoff(@Nullable String override) {
		String text = resolve(first(override, this.annotation.backoff()));
		return (text.isEmpty() || text.contains("${")) ? null : this.backoffs.find(text, this.job,
				(what, action) -> report("has the backoff '%s', %s".formatted(text, what), action));
	}

	private FailureTypes types() {
		FailureTypes types = new FailureTypes(List.of(this.annotation.includes()), List.of(this.annotation.excludes()),
				List.of(this.annotation.discards()));
		types.discards()
			.stream()
			.filter((type) -> types.includes().contains(type) || types.excludes().contains(type))
			.forEach(
					(type) -> report(
							"has %s among its discards and among its %s".formatted(type.getName(),
									types.excludes().contains(type) ? "excludes" : "includes"),
							"Remove it from one of them."));
		return types;
	}

	/**
	 * Read what is said about runs.
	 */
	RunRules run(boolean ordered) {
		OptionSettings override = this.settings.options();
		Duration expires = time("expires", override.expires(), this.annotation.expires());
		if (ordered && expires != null) {
			report("is @Sequential and expires after %s".formatted(expires),
					"Remove 'expires': payloads of a key are merged into one job, which cannot be too late for some of them.");
		}
		return new RunRules(expires, time("timeout", override.timeout(), this.annotation.timeout()),
				tags(override.tags()));
	}

	private List<String> tags(@Nullable List<String> override) {
		List<String> tags = new ArrayList<>();
		for (String tag : first(override, List.of(this.annotation.tags()))) {
			String resolved = resolve(tag);
			if (resolved.isEmpty()) {
				report("has an empty tag", "Remove it.");
			}
			tags.add(resolved);
		}
		return tags;
	}

	private @Nullable Duration time(String attribute, @Nullable Duration override, String annotated) {
		String text = (override == null) ? resolve(annotated) : "";
		if (text.isEmpty() || text.contains("${")) {
			return override;
		}
		Duration time = IdempotenceDefaults.time(text);
		if (time == null) {
			report("has %s = '%s'".formatted(attribute, text),
					"Set it to a time of 1 ms or more and less than 100,000 years, with its unit, as in 90s, 10m, 6h, 7d or PT6H.");
		}
		return time;
	}

	private String resolve(String text) {
		return text.isEmpty() ? text : this.placeholders.apply(text).trim();
	}

	private static <T> T first(@Nullable T override, T annotated) {
		return (override != null) ? override : annotated;
	}

	private void report(String what, String action) {
		this.problems.add("%s %s.".formatted(this.job, what), action);
	}

}
