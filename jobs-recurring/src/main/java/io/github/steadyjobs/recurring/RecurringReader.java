package io.github.steadyjobs.recurring;

import java.lang.reflect.AnnotatedElement;
import java.lang.reflect.Method;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashMap;
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
import io.github.steadyjobs.recurring.InvalidRecurringJobException.Reason;
import org.jspecify.annotations.Nullable;

import org.springframework.core.annotation.AnnotatedElementUtils;
import org.springframework.core.annotation.MergedAnnotation;
import org.springframework.core.annotation.MergedAnnotations;
import org.springframework.core.annotation.MergedAnnotations.SearchStrategy;
import org.springframework.core.annotation.RepeatableContainers;

/**
 * Reads the recurring jobs that annotations declare, as configuration overrides them.
 */
final class RecurringReader {

	private final UnaryOperator<String> placeholders;

	private final Problems problems = new Problems();

	private final List<RecurringJob> found = new ArrayList<>();

	private final Map<String, Declared> declared = new LinkedHashMap<>();

	private RecurringReader(UnaryOperator<String> placeholders) {
		this.placeholders = placeholders;
	}

	/**
	 * Read all recurring jobs of this application that are not switched off.
	 * @param given by name of the recurring job, texts that replace attributes;
	 * attributes are in lower case with hyphens
	 * @throws JobDefinitionException if one of them is invalid; it lists all problems
	 */
	static Collection<RecurringJob> read(JobRegistry registry, Map<String, Map<String, String>> given,
			UnaryOperator<String> placeholders) {
		RecurringReader reader = new RecurringReader(placeholders);
		registry.definitions().stream().filter(JobDefinition::hasBean).forEach(reader::find);
		Map<String, Map<String, String>> overrides = reader.overridesByName(given);
		reader.declared
			.forEach((name, declared) -> reader.read(name, declared, overrides.getOrDefault(name, Map.of())));
		reader.problems.throwIfAny();
		return List.copyOf(reader.found);
	}

	private void find(JobDefinition definition) {
		Method method = Objects.requireNonNull(definition.method());
		List<MergedAnnotation<Recurring>> all = nearest(method);
		if (all.isEmpty() && !AnnotatedElementUtils.hasAnnotation(method, Job.class)) {
			// The @Job is on the class of the bean, which may inherit the method.
			all = nearest(Objects.requireNonNull(definition.beanType()));
		}
		if (all.isEmpty()) {
			return;
		}
		String unfit = unfit(definition, method);
		if (unfit != null) {
			report(definition, unfit, "Remove @Recurring, and let another job without arguments enqueue this one.");
			return;
		}
		all.forEach((annotation) -> find(definition, method, annotation));
	}

	/**
	 * Return the annotations of a method or class. Annotations of an overridden method or
	 * a superclass count only if it has none itself, as with any other annotation.
	 */
	private static List<MergedAnnotation<Recurring>> nearest(AnnotatedElement element) {
		List<MergedAnnotation<Recurring>> all = MergedAnnotations
			.from(element, SearchStrategy.TYPE_HIERARCHY, RepeatableContainers.standardRepeatables())
			.stream(Recurring.class)
			.toList();
		int nearest = all.stream().mapToInt(MergedAnnotation::getAggregateIndex).min().orElse(0);
		return all.stream().filter((annotation) -> annotation.getAggregateIndex() == nearest).toList();
	}

	/** Return why a job cannot recur, or {@code null}. */
	static @Nullable String unfit(JobDefinition definition, Method method) {
		if (definition.sequence() != null) {
			return "is @Recurring and @Sequential, and a tick has no key";
		}
		return Arrays.stream(method.getParameterTypes()).allMatch(JobContext.class::isAssignableFrom) ? null
				: "is @Recurring, and nobody would fill in its arguments";
	}

	static boolean canRecur(@Nullable JobDefinition definition) {
		return definition != null && definition.hasBean()
				&& unfit(definition, Objects.requireNonNull(definition.method())) == null;
	}

	static void check(RecurringJob job, JobRegistry registry) {
		JobDefinition definition = registry.find(job.job());
		if (definition != null && definition.method() != null) {
			String unfit = unfit(definition, definition.method());
			if (unfit != null) {
				throw new InvalidRecurringJobException(Reason.INVALID, "Job '%s' %s".formatted(job.job(), unfit), null);
			}
		}
	}

	/** Return whether equal jobs that something else has enqueued count. */
	static boolean isIdempotent(@Nullable JobDefinition definition) {
		return definition != null && definition.declaration() == Declaration.IDEMPOTENT;
	}

	private void find(JobDefinition definition, Method method, MergedAnnotation<Recurring> annotation) {
		String name = resolve(method, annotation.getString("name"));
		name = name.isEmpty() ? definition.name() : name;
		if (isUnresolved(name)) {
			return;
		}
		if (!Names.isName(name)) {
			report(definition, "is @Recurring under the name '%s'".formatted(name),
					"Name it with @Recurring(name = \"…\"): %s.".formatted(Names.RULE));
			return;
		}
		Declared other = this.declared.putIfAbsent(name, new Declared(definition, method, annotation));
		if (other != null) {
			report(definition,
					"is @Recurring under the name '%s', and so is %s".formatted(name,
							other.method().equals(method) ? "the same method again" : other.method().toGenericString()),
					"Name one of them with @Recurring(name = \"…\").");
		}
	}

	private void read(String name, Declared declared, Map<String, String> override) {
		JobDefinition definition = declared.definition();
		Method method = declared.method();
		Map<String, String> attributes = attributes(declared.annotation(), override);
		// A recurring job that is switched off needs no other attribute.
		if (Stream.of("cron", "every")
			.anyMatch((time) -> resolve(method, attributes.getOrDefault(time, "")).equals(Recurring.OFF))) {
			return;
		}
		attributes.replaceAll((attribute, value) -> resolve(method, value));
		if (attributes.values().stream().anyMatch(RecurringReader::isUnresolved)) {
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
		// Either of them replaces both.
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
	 * Find out which recurring job is meant: in environment variables, names lose their
	 * capital letters and punctuation.
	 */
	private Map<String, Map<String, String>> overridesByName(Map<String, Map<String, String>> given) {
		Map<String, Map<String, String>> byName = new HashMap<>();
		new TreeMap<>(given).forEach((key, override) -> {
			boolean isExact = this.declared.containsKey(key);
			List<String> meant = isExact ? List.of(key)
					: this.declared.keySet()
						.stream()
						.filter((name) -> plain(name).equals(plain(key)))
						.sorted()
						.toList();
			if (meant.size() == 1) {
				Map<String, String> all = byName.computeIfAbsent(meant.get(0), (name) -> new HashMap<>());
				// The exact spelling wins, whichever comes first.
				override.forEach(isExact ? all::put : all::putIfAbsent);
			}
			else {
				reportUnclear(key, meant);
			}
		});
		return byName;
	}

	private void reportUnclear(String key, List<String> meant) {
		String property = "'steadyjobs.recurring.%s'".formatted(key);
		if (!meant.isEmpty()) {
			this.problems.add("%s may mean any of these recurring jobs: %s.".formatted(property, meant),
					"Write the name as it is declared, in a file, or give one of them another name.");
			return;
		}
		this.problems.add("%s configures a recurring job that no bean declares.".formatted(property),
				this.declared.isEmpty() ? "Remove it: no job here is @Recurring."
						: "Remove it, or use one of these names: %s."
							.formatted(this.declared.keySet().stream().sorted().toList()));
	}

	private static String plain(String name) {
		return name.replaceAll("[^\\p{L}\\p{N}]", "").toLowerCase(Locale.ROOT);
	}

	private String resolve(Method method, String text) {
		return text.isEmpty() ? text
				: this.problems.resolve("@Recurring of " + method.toGenericString(), text, this.placeholders).trim();
	}

	private static boolean isUnresolved(String text) {
		return text.contains("${");
	}

	private void report(JobDefinition definition, String what, String action) {
		this.problems.add("Job %s %s.".formatted(definition, what), action);
	}

	private record Declared(JobDefinition definition, Method method, MergedAnnotation<Recurring> annotation) {

	}

}
