package io.github.steadyjobs.recurring;

import java.lang.reflect.Method;
import java.util.Arrays;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.function.UnaryOperator;

import io.github.steadyjobs.Job;
import io.github.steadyjobs.JobContext;
import io.github.steadyjobs.Names;
import io.github.steadyjobs.Recurring;
import io.github.steadyjobs.definition.JobDefinition;
import io.github.steadyjobs.definition.JobDefinitionException;
import io.github.steadyjobs.definition.JobDefinitionException.Problem;
import io.github.steadyjobs.definition.JobRegistry;
import io.github.steadyjobs.idempotence.JobIdempotence.Declaration;
import io.github.steadyjobs.recurring.InvalidRecurringJobException.Reason;
import org.jspecify.annotations.Nullable;

import org.springframework.core.annotation.AnnotatedElementUtils;

/**
 * Reads the recurring jobs that annotations declare, as configuration overrides them.
 */
final class RecurringReader {

	private final Map<String, Map<String, String>> overrides;

	private final UnaryOperator<String> placeholders;

	private final Set<Problem> problems = new LinkedHashSet<>();

	private final Map<String, RecurringJob> found = new LinkedHashMap<>();

	private final Map<String, Method> methods = new HashMap<>();

	private RecurringReader(Map<String, Map<String, String>> overrides, UnaryOperator<String> placeholders) {
		this.overrides = overrides;
		this.placeholders = placeholders;
	}

	/**
	 * Read all recurring jobs of this application that are not switched off.
	 * @param overrides by name, texts in place of attributes, whose names are written
	 * with hyphens
	 * @param placeholders resolves placeholders
	 * @throws JobDefinitionException if one of them cannot be so; it has all problems
	 */
	static Collection<RecurringJob> read(JobRegistry registry, Map<String, Map<String, String>> overrides,
			UnaryOperator<String> placeholders) {
		RecurringReader reader = new RecurringReader(overrides, placeholders);
		registry.definitions().stream().filter(JobDefinition::hasBean).forEach(reader::read);
		reader.checkOverrides();
		if (!reader.problems.isEmpty()) {
			throw new JobDefinitionException(List.copyOf(reader.problems));
		}
		return List.copyOf(reader.found.values());
	}

	private void read(JobDefinition definition) {
		Method method = Objects.requireNonNull(definition.method());
		Set<Recurring> all = AnnotatedElementUtils.findMergedRepeatableAnnotations(method, Recurring.class);
		if (all.isEmpty() && !AnnotatedElementUtils.hasAnnotation(method, Job.class)) {
			// The @Job is on the class of the bean, which may inherit the method.
			all = AnnotatedElementUtils.findMergedRepeatableAnnotations(Objects.requireNonNull(definition.beanType()),
					Recurring.class);
		}
		if (all.isEmpty()) {
			return;
		}
		String unfit = unfit(definition, method);
		if (unfit != null) {
			report(definition, unfit, "Remove @Recurring, and let another job without arguments enqueue this one.");
			return;
		}
		all.forEach((annotation) -> read(definition, method, annotation));
	}

	/**
	 * Return why a job cannot recur, or {@code null}.
	 */
	static @Nullable String unfit(JobDefinition definition, Method method) {
		if (definition.sequence() != null) {
			return "is @Recurring and @Sequential, and a tick has no key";
		}
		return Arrays.stream(method.getParameterTypes()).allMatch(JobContext.class::isAssignableFrom) ? null
				: "is @Recurring, and nobody would fill in its arguments";
	}

	/**
	 * Refuse a job that is known here and cannot recur.
	 */
	static void check(RecurringJob job, JobRegistry registry) {
		JobDefinition definition = registry.find(job.job());
		if (definition != null && definition.method() != null) {
			String unfit = unfit(definition, definition.method());
			if (unfit != null) {
				throw new InvalidRecurringJobException(Reason.INVALID, "Job '%s' %s".formatted(job.job(), unfit), null);
			}
		}
	}

	/**
	 * Return whether equal jobs count that others have enqueued.
	 */
	static boolean isIdempotent(RecurringJob job, JobRegistry registry) {
		JobDefinition definition = registry.find(job.job());
		return definition != null && definition.declaration() == Declaration.IDEMPOTENT;
	}

	private void read(JobDefinition definition, Method method, Recurring annotation) {
		String name = resolve(method, annotation.name());
		name = name.isEmpty() ? definition.name() : name;
		if (isUnresolved(name)) {
			return;
		}
		if (!Names.isName(name)) {
			report(definition, "is @Recurring under the name '%s'".formatted(name),
					"Name it with @Recurring(name = \"…\"): %s.".formatted(Names.RULE));
			return;
		}
		Method other = this.methods.putIfAbsent(name, method);
		if (other != null) {
			report(definition,
					"is @Recurring under the name '%s', and so is %s".formatted(name,
							other.equals(method) ? "the same method once more" : other.toGenericString()),
					"Name one of them with @Recurring(name = \"…\").");
			return;
		}
		Map<String, String> attributes = attributes(name, annotation);
		// What is switched off needs no other attribute.
		List.of("cron", "every")
			.forEach((attribute) -> attributes.computeIfPresent(attribute, (key, value) -> resolve(method, value)));
		if (new RecurringText(attributes).isOff()) {
			return;
		}
		attributes.replaceAll((attribute, value) -> resolve(method, value));
		if (attributes.values().stream().anyMatch(RecurringReader::isUnresolved)) {
			return;
		}
		try {
			this.found.put(name, new RecurringText(attributes).read(name, definition.name(), definition.queue()));
		}
		catch (IllegalArgumentException ex) {
			report(definition,
					"is @Recurring under the name '%s', and this cannot be so: %s".formatted(name, ex.getMessage()),
					"Correct it on the method, or under 'steadyjobs.recurring.%s'.".formatted(name));
		}
	}

	private Map<String, String> attributes(String name, Recurring annotation) {
		Map<String, String> attributes = new HashMap<>();
		attributes.put("cron", annotation.cron());
		attributes.put("zone", annotation.zone());
		attributes.put("every", annotation.every());
		attributes.put("from", annotation.from());
		attributes.put("until", annotation.until());
		attributes.put("jitter", annotation.jitter());
		attributes.put("missed", annotation.missed().name());
		attributes.put("at-most", (annotation.atMost() != 0) ? Integer.toString(annotation.atMost()) : "");
		attributes.put("overlap", annotation.overlap().name());
		Map<String, String> override = this.overrides.getOrDefault(name, Map.of());
		// One stands for the other.
		if (override.containsKey("cron") || override.containsKey("every")) {
			attributes.keySet().removeAll(List.of("cron", "every"));
		}
		if (override.containsKey("missed") && !override.containsKey("at-most")) {
			attributes.remove("at-most");
		}
		attributes.putAll(override);
		return attributes;
	}

	private void checkOverrides() {
		this.overrides.keySet()
			.stream()
			.filter((name) -> !this.methods.containsKey(name))
			.sorted()
			.forEach((name) -> this.problems.add(new Problem(
					"'steadyjobs.recurring.%s' configures a recurring job that no bean declares.".formatted(name),
					this.methods.isEmpty() ? "Remove it: no job here is @Recurring."
							: "Remove it, or use one of these names: "
									+ this.methods.keySet().stream().sorted().toList() + ".")));
	}

	private String resolve(Method method, String text) {
		try {
			String resolved = text.isEmpty() ? text : this.placeholders.apply(text).trim();
			if (!isUnresolved(resolved)) {
				return resolved;
			}
		}
		catch (IllegalArgumentException ex) {
			// Reported below, like one that the resolver has left as it is.
		}
		this.problems.add(
				new Problem(
						"@Recurring of %s has the placeholder '%s', which nothing sets."
							.formatted(method.toGenericString(), text),
						"Set the property, or give the placeholder a default: ${some.property:value}."));
		return text;
	}

	private static boolean isUnresolved(String text) {
		return text.contains("${");
	}

	private void report(JobDefinition definition, String what, String action) {
		this.problems.add(new Problem("Job %s %s.".formatted(definition, what), action));
	}

}
