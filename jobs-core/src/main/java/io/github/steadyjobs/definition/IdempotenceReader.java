package io.github.steadyjobs.definition;

import java.time.Duration;
import java.util.function.Supplier;

import io.github.steadyjobs.Idempotence;
import io.github.steadyjobs.IdempotenceStrategy;
import io.github.steadyjobs.Idempotent;
import io.github.steadyjobs.Idempotent.IfDuplicate;
import io.github.steadyjobs.Idempotent.Strategy;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import org.springframework.format.datetime.standard.DurationFormatterUtils;

/**
 * Reads what a job says about a second run: resolves placeholders, lets configuration
 * override, fills in the defaults, and checks what comes out.
 */
final class IdempotenceReader {

	private static final Logger logger = LoggerFactory.getLogger(IdempotenceReader.class);

	private final SpecReader specs;

	private final IdempotenceDefaults defaults;

	private final KeyReader keys;

	private final CustomStrategies strategies;

	IdempotenceReader(SpecReader specs, IdempotenceDefaults defaults, KeyReader keys, CustomStrategies strategies) {
		this.specs = specs;
		this.defaults = defaults;
		this.keys = keys;
		this.strategies = strategies;
	}

	/**
	 * Read what is said about a job.
	 * @param method the method
	 * @param name the name of the job
	 * @param problems takes what is wrong
	 * @return what was read; not to be used if there are problems
	 */
	JobIdempotence read(JobMethod method, String name, Problems problems) {
		Declared declared = Declared.of(method);
		declared.check(problems);
		if (declared.idempotent() != null) {
			return new Reading("Job '%s' (%s)".formatted(name, method), method, problems).read(declared.idempotent(),
					this.specs.settings(name).idempotence());
		}
		if (!this.specs.settings(name).idempotence().equals(IdempotenceSettings.NONE)) {
			problems.add(
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
	 * @return nothing, whatever the job says where its bean is
	 */
	JobIdempotence readElsewhere(String name) {
		if (!this.specs.settings(name).idempotence().equals(IdempotenceSettings.NONE)) {
			// No mistake where applications share their configuration.
			logger.warn("Configuration says what becomes of duplicates of job '{}', which is not @Idempotent here as "
					+ "its method is elsewhere. To deduplicate it all the same, say so with JobRequest.idempotent(…)",
					name);
		}
		return JobIdempotence.UNDECLARED;
	}

	private static <T> T first(@Nullable T override, T annotated) {
		return (override != null) ? override : annotated;
	}

	/**
	 * The reading of one annotation.
	 */
	private final class Reading {

		private final String place;

		private final JobMethod method;

		private final Problems problems;

		Reading(String place, JobMethod method, Problems problems) {
			this.place = place;
			this.method = method;
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
			return new JobIdempotence(Declaration.IDEMPOTENT, idempotence, key(annotation.key()), custom(annotation));
		}

		private Duration ttl(String annotated) {
			String text = resolve(annotated);
			if (text == null || text.isBlank()) {
				return IdempotenceReader.this.defaults.ttl();
			}
			Duration ttl = parse(text);
			if (ttl == null || !IdempotenceDefaults.isTtl(ttl)) {
				this.problems.add("%s has the ttl '%s'.".formatted(this.place, text),
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
				this.problems.add(
						"%s is to RUN_ONCE_MORE if there was a duplicate, and its strategy is %s: no duplicate is dropped while it runs."
							.formatted(this.place, strategy),
						"Set the strategy to UNTIL_EXECUTED, or ifDuplicate to DROP.");
				return IfDuplicate.DROP;
			}
			return wanted;
		}

		private @Nullable KeyExpression key(String annotated) {
			String text = resolve(annotated);
			return (text == null || text.isBlank()) ? null
					: IdempotenceReader.this.keys.read(text, this.place, this.method, this.problems);
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
			String resolved = IdempotenceReader.this.specs.resolve(this.method, text, this.problems);
			return resolved.contains("${") ? null : resolved;
		}

	}

}
