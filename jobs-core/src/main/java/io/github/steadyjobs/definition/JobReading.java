package io.github.steadyjobs.definition;

import java.lang.annotation.Annotation;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.function.Supplier;

import io.github.steadyjobs.Job;
import io.github.steadyjobs.JobLimits;
import io.github.steadyjobs.Names;
import io.github.steadyjobs.RetryDelay;
import io.github.steadyjobs.definition.RetryRules.FailureTypes;
import io.github.steadyjobs.idempotence.IdempotenceDefaults;
import org.jspecify.annotations.Nullable;

/**
 * One job while its annotations are read: resolves placeholders, checks what annotations
 * say and configuration replaces, and reports what is wrong. Used once.
 */
final class JobReading {

	private final Sources sources;

	private final String place;

	private final Problems problems;

	private final String name;

	/**
	 * Begin with the name.
	 * @param place where the annotations are, for problems
	 * @param name the name as it is annotated
	 */
	JobReading(Sources sources, String place, String name, Problems problems) {
		this.sources = sources;
		this.place = place;
		this.problems = problems;
		this.name = name(name);
	}

	String name() {
		return this.name;
	}

	/** Read a name that the job has or had. */
	String name(String annotated) {
		String read = resolve(annotated);
		if (!Names.isJobName(read) && !read.contains("${")) {
			this.problems.add("%s has the job name '%s'.".formatted(this.place, read),
					"Set a name of %s, as in @Job(name = \"invoice.send\").".formatted(Names.JOB_RULE));
		}
		return read;
	}

	/** Return what configuration says about the job. */
	JobSettings settings() {
		return this.sources.settings().getOrDefault(this.name, JobSettings.NONE);
	}

	/** Refuse settings that replace attributes of an annotation that is not there. */
	void checkNeeded(Class<? extends Annotation> annotation, boolean present) {
		List<String> set = settings().replacing(annotation);
		if (!present && !set.isEmpty()) {
			report("is not @%s, but configuration sets its %s".formatted(annotation.getSimpleName(),
					String.join(" and ", set)),
					"Put @%s on the method, or remove '%s' from 'steadyjobs.jobs.%s'."
						.formatted(annotation.getSimpleName(), String.join("' and '", set), this.name));
		}
	}

	/** Read a queue. */
	String queue(String annotated) {
		String queue = resolve(annotated);
		if (!queue.contains("${")) {
			JobOption.QUEUE.check(queue, this::report);
		}
		return queue;
	}

	/**
	 * Read how the job is tried.
	 * @param job the annotation, with what configuration says in its place
	 * @param retries the retries that count
	 */
	RetryRules retry(Job job, @Nullable Integer retries, boolean ordered) {
		JobLimits limits = new JobLimits(time(JobOption.RETRY_FOR, job.retryFor()), retryQueue(job, ordered),
				number(JobOption.BACKTRACE, job.backtrace()), expires(job, ordered), null,
				time(JobOption.TIMEOUT, job.timeout()));
		return new RetryRules(retries, limits.equals(JobLimits.NONE) ? JobLimits.NONE : limits, job.dead(),
				backoff(job), types(job));
	}

	/** Return a number, {@code null} if it is left open. */
	@Nullable Integer number(JobOption option, int[] annotated) {
		if (annotated.length > 1) {
			report("has %s = %s".formatted(option.attribute(), Arrays.toString(annotated)),
					"Use one number, or leave it out for the default.");
		}
		return (annotated.length == 1 && option.check(annotated[0], this::report)) ? Integer.valueOf(annotated[0])
				: null;
	}

	private @Nullable String retryQueue(Job job, boolean ordered) {
		String queue = checked(JobOption.RETRY_QUEUE, job.retryQueue());
		if (queue != null && ordered) {
			report("is @Sequential and has retryQueue = '%s'".formatted(queue),
					"Remove 'retryQueue': an ordered job stays in its queue, with its key.");
		}
		return queue;
	}

	private @Nullable Supplier<RetryDelay> backoff(Job job) {
		String text = resolve(job.backoff());
		return (text.isEmpty() || text.contains("${")) ? null : this.sources.backoffs()
			.find(text, describe(), (what, action) -> report("has the backoff '%s', %s".formatted(text, what), action));
	}

	private FailureTypes types(Job job) {
		FailureTypes types = new FailureTypes(List.of(job.includes()), List.of(job.excludes()),
				List.of(job.discards()));
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

	private @Nullable Duration expires(Job job, boolean ordered) {
		Duration expires = time(JobOption.EXPIRES, job.expires());
		if (ordered && expires != null) {
			report("is @Sequential and expires after %s".formatted(expires),
					"Remove 'expires': payloads of a key are merged into one job, which cannot be too late for some of them.");
		}
		return expires;
	}

	List<String> tags(Job job) {
		List<String> tags = new ArrayList<>();
		for (String tag : job.tags()) {
			String resolved = resolve(tag);
			if (resolved.isEmpty()) {
				report("has an empty tag", "Remove it.");
			}
			tags.add(resolved);
		}
		return tags;
	}

	private @Nullable Duration time(JobOption option, String annotated) {
		String text = checked(option, annotated);
		return (text != null) ? IdempotenceDefaults.time(text) : null;
	}

	/** Return a text, {@code null} if it is left open or wrong. */
	private @Nullable String checked(JobOption option, String annotated) {
		String text = resolve(annotated);
		return (!text.isEmpty() && !text.contains("${") && option.check(text, this::report)) ? text : null;
	}

	/**
	 * Resolve placeholders.
	 * @return what was resolved; not to be used if there are problems
	 */
	String resolve(String text) {
		return text.isEmpty() ? text : this.sources.resolve(this.place, text, this.problems).trim();
	}

	/**
	 * Report a problem of the job.
	 * @param what the rest of a sentence
	 * @param action how to fix it
	 */
	void report(String what, String action) {
		this.problems.add("%s %s.".formatted(describe(), what), action);
	}

	private String describe() {
		return "Job '%s' (%s)".formatted(this.name, this.place);
	}

	/**
	 * Settings other than annotations.
	 *
	 * @param placeholders throws {@link IllegalArgumentException} where it cannot resolve
	 * @param settings what configuration says, by the name of the job
	 */
	record Sources(Function<String, @Nullable String> placeholders, Map<String, JobSettings> settings,
			Backoffs backoffs) {

		Sources {
			settings = Map.copyOf(settings);
		}

		String resolve(String place, String value, Problems problems) {
			return problems.resolve("The annotation of " + place, value, this.placeholders);
		}

	}

}
