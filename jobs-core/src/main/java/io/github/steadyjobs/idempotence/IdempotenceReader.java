package io.github.steadyjobs.idempotence;

import java.time.Duration;
import java.util.List;
import java.util.function.BiConsumer;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;

import io.github.steadyjobs.Idempotence;
import io.github.steadyjobs.IdempotenceStrategy;
import io.github.steadyjobs.Idempotent;
import io.github.steadyjobs.Idempotent.IfDuplicate;
import io.github.steadyjobs.Idempotent.Strategy;
import io.github.steadyjobs.arguments.BeanMethod;
import io.github.steadyjobs.arguments.JobJson;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import tools.jackson.databind.json.JsonMapper;

import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.format.datetime.standard.DurationFormatterUtils;

/**
 * Reads what a job says about a second run: resolves placeholders, lets configuration
 * override, fills in the defaults, and checks what comes out.
 */
public final class IdempotenceReader {

	private static final Logger logger = LoggerFactory.getLogger(IdempotenceReader.class);

	private final IdempotenceDefaults defaults;

	private final CustomStrategies strategies;

	private final Predicate<Object> storable;

	/**
	 * Create a reader.
	 * @param defaults what counts for idempotent jobs that leave it open
	 * @param beanFactory has the strategies of the application
	 * @param beanTypes tells the class of a bean, without its proxy
	 * @param mapper writes what keys come to
	 */
	public IdempotenceReader(IdempotenceDefaults defaults, ConfigurableListableBeanFactory beanFactory,
			Function<String, @Nullable Class<?>> beanTypes, JsonMapper mapper) {
		this.defaults = defaults;
		this.strategies = new CustomStrategies(beanFactory, beanTypes);
		this.storable = JobJson.storable(mapper);
	}

	/**
	 * Read what is said about a job.
	 * @param method the method
	 * @param name the name of the job
	 * @param override what configuration says about the job
	 * @param placeholders resolves placeholders, reports those that nothing sets, and
	 * leaves them as they are
	 * @param problems takes what is wrong, and how to mend it
	 * @return what was read; not to be used if there are problems
	 */
	public JobIdempotence read(BeanMethod method, String name, IdempotenceSettings override,
			UnaryOperator<String> placeholders, BiConsumer<String, String> problems) {
		Declared declared = Declared.of(method);
		declared.check(problems);
		if (declared.idempotent() != null) {
			return new Reading("Job '%s' (%s)".formatted(name, method), method, placeholders, problems)
				.read(declared.idempotent(), override);
		}
		if (!override.equals(IdempotenceSettings.NONE)) {
			problems.accept(
					"Job '%s' (%s) is not @Idempotent, and configuration says what becomes of its duplicates."
						.formatted(name, method),
					"Put @Idempotent on the method, or of what 'steadyjobs.jobs.%s' has remove all but 'queue', 'retries', 'dead' and 'deduplicate'."
						.formatted(name));
		}
		return (declared.notIdempotent() != null) ? JobIdempotence.NOT_IDEMPOTENT : JobIdempotence.UNDECLARED;
	}

	/**
	 * Read what is said about a job whose annotations are elsewhere.
	 * @param name the name of the job
	 * @param override what configuration says about the job
	 * @return nothing, whatever the job says where its bean is
	 */
	public JobIdempotence readElsewhere(String name, IdempotenceSettings override) {
		if (!override.equals(IdempotenceSettings.NONE)) {
			// No mistake where applications share their configuration.
			logger.warn("Configuration says what becomes of duplicates of job '{}', which is not @Idempotent here as "
					+ "its method is elsewhere. To deduplicate it all the same, say so with JobRequest.idempotent(…)",
					name);
		}
		return JobIdempotence.UNDECLARED;
	}

	/**
	 * Refuse declarations on what is no job.
	 * @param type the class of a bean
	 * @param jobs its methods that are jobs
	 * @param problems takes what is wrong, and how to mend it
	 */
	public void checkStray(Class<?> type, List<? extends BeanMethod> jobs, BiConsumer<String, String> problems) {
		Declared.checkStray(type, jobs, problems);
	}

	private static <T> T first(@Nullable T override, T annotated) {
		return (override != null) ? override : annotated;
	}

	/**
	 * The reading of one annotation.
	 */
	private final class Reading {

		private final String place;

		private final BeanMethod method;

		private final UnaryOperator<String> placeholders;

		private final BiConsumer<String, String> problems;

		Reading(String place, BeanMethod method, UnaryOperator<String> placeholders,
				BiConsumer<String, String> problems) {
			this.place = place;
			this.method = method;
			this.placeholders = placeholders;
			this.problems = problems;
		}

		JobIdempotence read(Idempotent annotation, IdempotenceSettings override) {
			Strategy strategy = first(override.strategy(), annotation.strategy());
			if (strategy == Strategy.DEFAULT) {
				strategy = IdempotenceReader.this.defaults.strategy();
			}
			Duration ttl = ttl(annotation.ttl());
			IfDuplicate ifDuplicate = ifDuplicate(first(override.ifDuplicate(), annotation.ifDuplicate()), strategy);
			Idempotence idempotence = new Idempotence(strategy, first(override.ttl(), ttl), null, ifDuplicate,
					first(override.includeScheduled(), annotation.includeScheduled()),
					first(override.keepConsistency(), annotation.keepConsistency()));
			return JobIdempotence.idempotent(idempotence, key(annotation.key()), custom(annotation));
		}

		private Duration ttl(String annotated) {
			String text = resolve(annotated);
			if (text == null || text.isBlank()) {
				return IdempotenceReader.this.defaults.ttl();
			}
			Duration ttl = parse(text);
			if (ttl == null || !IdempotenceDefaults.isTtl(ttl)) {
				this.problems.accept("%s has the ttl '%s'.".formatted(this.place, text),
						"Set it to a time of 1 ms or more and less than 100,000 years, with its unit, as in 90s, 10m, 6h, 7d or PT6H.");
				return IdempotenceReader.this.defaults.ttl();
			}
			return ttl;
		}

		private static @Nullable Duration parse(String text) {
			try {
				// Without a unit it would be milliseconds, which hardly anyone means.
				return text.matches(".*\\d\\s*") ? null : DurationFormatterUtils.detectAndParse(text);
			}
			catch (IllegalArgumentException ex) {
				return null;
			}
		}

		private IfDuplicate ifDuplicate(IfDuplicate wanted, Strategy strategy) {
			if (wanted == IfDuplicate.RUN_ONCE_MORE && strategy != Strategy.UNTIL_EXECUTED) {
				this.problems.accept(
						"%s is to RUN_ONCE_MORE if there was a duplicate, and its strategy is %s: no duplicate is dropped while it runs."
							.formatted(this.place, strategy),
						"Set the strategy to UNTIL_EXECUTED, or ifDuplicate to DROP.");
				return IfDuplicate.DROP;
			}
			return wanted;
		}

		private @Nullable DeduplicationKeyExpression key(String annotated) {
			String text = resolve(annotated);
			return (text == null || text.isBlank()) ? null : DeduplicationKeyExpression.read(text, this.method,
					IdempotenceReader.this.storable, this::reportKey);
		}

		private void reportKey(String what, String action) {
			this.problems.accept("%s has the key %s.".formatted(this.place, what), action);
		}

		private @Nullable Supplier<IdempotenceStrategy> custom(Idempotent annotation) {
			Class<? extends IdempotenceStrategy> type = annotation.custom();
			return (type == IdempotenceStrategy.class) ? null
					: IdempotenceReader.this.strategies.find(type, this.place, this.problems);
		}

		/**
		 * Resolve placeholders.
		 * @return the text, or {@code null} if that was reported to be impossible
		 */
		private @Nullable String resolve(String text) {
			String resolved = this.placeholders.apply(text);
			return resolved.contains("${") ? null : resolved;
		}

	}

}
