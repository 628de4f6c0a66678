package io.github.steadyjobs.recurring;

import java.lang.reflect.AnnotatedElement;
import java.lang.reflect.Method;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;

import io.github.steadyjobs.Job;
import io.github.steadyjobs.JobContext;
import io.github.steadyjobs.Names;
import io.github.steadyjobs.Recurring;
import io.github.steadyjobs.definition.JobDefinition;
import io.github.steadyjobs.definition.JobDefinition.Declaration;
import io.github.steadyjobs.definition.JobDefinitionException;
import io.github.steadyjobs.definition.JobRegistry;
import io.github.steadyjobs.definition.Problems;
import org.jspecify.annotations.Nullable;

import org.springframework.core.annotation.AnnotatedElementUtils;
import org.springframework.core.annotation.MergedAnnotation;
import org.springframework.core.annotation.MergedAnnotations;
import org.springframework.core.annotation.MergedAnnotations.SearchStrategy;
import org.springframework.core.annotation.RepeatableContainers;

/**
 * Reads the recurring jobs that annotations declare, and applies the overrides from the
 * configuration.
 */
final class RecurringReader {

	private final UnaryOperator<String> placeholders;

	private final Problems problems = new Problems();

	private final List<RecurringJob> found = new ArrayList<>();

	private final Map<String, Declared> declared = new TreeMap<>();

	private RecurringReader(UnaryOperator<String> placeholders) {
		this.placeholders = placeholders;
	}

	/**
	 * Read all recurring jobs of this application that are not switched off.
	 * @return the recurring jobs, sorted by name
	 * @throws JobDefinitionException if any recurring job is invalid; the message lists
	 * all problems
	 */
	static List<RecurringJob> read(JobRegistry registry, Map<String, Map<String, String>> overrides,
			UnaryOperator<String> placeholders) {
		RecurringReader reader = new RecurringReader(placeholders);
		registry.definitions().forEach(reader::find);
		new TreeMap<>(overrides).forEach(reader::assign);
		reader.declared.forEach(reader::read);
		reader.problems.throwIfAny();
		return List.copyOf(reader.found);
	}

	private void find(JobDefinition definition) {
		Method method = Objects.requireNonNull(definition.method());
		List<MergedAnnotation<Recurring>> all = nearest(method);
		if (all.isEmpty() && !AnnotatedElementUtils.hasAnnotation(method, Job.class)) {
			// Here, @Job is on the class of the bean, which may inherit the method.
			all = nearest(Objects.requireNonNull(definition.beanType()));
		}
		String unfit = unfit(definition);
		if (unfit == null) {
			all.forEach((annotation) -> find(definition, annotation));
		}
		else if (!all.isEmpty()) {
			report(definition, unfit, "Remove @Recurring, and let another job without arguments enqueue this one.");
		}
	}

	/**
	 * Return the annotations of a method or class. As with any other annotation, those of
	 * an overridden method or a superclass are used only if the element itself has no
	 * such annotation.
	 */
	private static List<MergedAnnotation<Recurring>> nearest(AnnotatedElement element) {
		List<MergedAnnotation<Recurring>> all = MergedAnnotations
			.from(element, SearchStrategy.TYPE_HIERARCHY, RepeatableContainers.standardRepeatables())
			.stream(Recurring.class)
			.toList();
		int nearest = all.stream().mapToInt(MergedAnnotation::getAggregateIndex).min().orElse(0);
		return all.stream().filter((annotation) -> annotation.getAggregateIndex() == nearest).toList();
	}

	/** Return why a job cannot recur; {@code null} if it can recur or is unknown here. */
	static @Nullable String unfit(@Nullable JobDefinition definition) {
		if (definition == null) {
			return null;
		}
		if (definition.sequence() != null) {
			return "is @Recurring and @Sequential, but a tick has no key";
		}
		Class<?>[] parameters = Objects.requireNonNull(definition.method()).getParameterTypes();
		return Arrays.stream(parameters).allMatch(JobContext.class::isAssignableFrom) ? null
				: "is @Recurring, but a tick has no arguments";
	}

	/**
	 * Return whether a job is idempotent, so that equal jobs enqueued from elsewhere also
	 * count as overlapping.
	 */
	static boolean isIdempotent(@Nullable JobDefinition definition) {
		return definition != null && definition.declaration() == Declaration.IDEMPOTENT;
	}

	private void find(JobDefinition definition, MergedAnnotation<Recurring> annotation) {
		String name = resolve(definition, annotation.getString("name"));
		name = name.isEmpty() ? definition.name() : name;
		if (name.contains("${")) {
			return;
		}
		if (!Names.isName(name)) {
			report(definition, "is @Recurring under the name '%s'".formatted(name),
					"Name it with @Recurring(name = \"…\"): %s.".formatted(Names.RULE));
			return;
		}
		Declared other = this.declared.putIfAbsent(name, new Declared(definition, annotation, new HashMap<>()));
		if (other != null) {
			report(definition,
					"is @Recurring under the name '%s', and so is %s".formatted(name,
							(other.definition() == definition) ? "the same method again" : "job " + other.definition()),
					"Name one of them with @Recurring(name = \"…\").");
		}
	}

	private void read(String name, Declared declared) {
		JobDefinition definition = declared.definition();
		Map<String, String> attributes = attributes(declared.annotation(), declared.override());
		// A recurring job that is switched off needs no other attribute.
		if (Stream.of("cron", "every")
			.anyMatch((time) -> resolve(definition, attributes.getOrDefault(time, "")).equals(Recurring.OFF))) {
			return;
		}
		attributes.replaceAll((attribute, value) -> resolve(definition, value));
		if (attributes.values().stream().anyMatch((value) -> value.contains("${"))) {
			return;
		}
		try {
			this.found.add(RecurringJob.read(name, definition.name(), definition.queue(), attributes));
		}
		catch (InvalidRecurringJobException ex) {
			report(definition,
					"is @Recurring under the name '%s', but this is not valid: %s".formatted(name, ex.getMessage()),
					"Correct it on the method, or under 'steadyjobs.recurring.%s'.".formatted(name));
		}
	}

	private static Map<String, String> attributes(MergedAnnotation<Recurring> annotation,
			Map<String, String> override) {
		Map<String, String> attributes = new HashMap<>();
		annotation.asMap().forEach((name, value) -> attributes.put(name, value.toString()));
		attributes.put("at-most", attributes.remove("atMost"));
		// An override of either attribute replaces both attributes.
		if (override.containsKey("cron") || override.containsKey("every")) {
			attributes.keySet().removeAll(List.of("cron", "every"));
		}
		if (override.containsKey("missed") && !override.containsKey("at-most")) {
			attributes.remove("at-most");
		}
		attributes.putAll(override);
		return attributes;
	}

	/**
	 * Assign overrides from the configuration to the recurring job that they are for.
	 * Environment variables cannot express case and punctuation, so both are ignored when
	 * names are compared; an exact match takes precedence.
	 */
	private void assign(String key, Map<String, String> attributes) {
		Declared exact = this.declared.get(key);
		if (exact != null) {
			exact.override().putAll(attributes);
			return;
		}
		String property = "'steadyjobs.recurring.%s'".formatted(key);
		List<String> meant = new ArrayList<>();
		this.declared.forEach((name, declared) -> {
			if (plain(name).equals(plain(key))) {
				meant.add(name);
				attributes.forEach(declared.override()::putIfAbsent);
			}
		});
		if (meant.size() > 1) {
			this.problems.add("%s may mean any of these recurring jobs: %s.".formatted(property, meant),
					"Write the name as it is declared, in a file, or give one of them another name.");
		}
		else if (meant.isEmpty()) {
			this.problems.add("%s configures a recurring job that no bean declares.".formatted(property),
					this.declared.isEmpty() ? "Remove it: no job here is @Recurring."
							: "Remove it, or use one of these names: %s.".formatted(this.declared.keySet()));
		}
	}

	private static String plain(String name) {
		return name.replaceAll("[^\\p{L}\\p{N}]", "").toLowerCase(Locale.ROOT);
	}

	private String resolve(JobDefinition definition, String text) {
		return text.isEmpty() ? text
				: this.problems.resolve("@Recurring of job " + definition, text, this.placeholders).trim();
	}

	private void report(JobDefinition definition, String what, String action) {
		this.problems.add("Job %s %s.".formatted(definition, what), action);
	}

	private record Declared(JobDefinition definition, MergedAnnotation<Recurring> annotation,
			Map<String, String> override) {

	}

}
