package io.github.steadyjobs.idempotence;

import java.time.Duration;
import java.util.List;
import java.util.function.BiConsumer;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;

import io.github.steadyjobs.Idempotence;
import io.github.steadyjobs.IdempotenceStrategy;
import io.github.steadyjobs.Idempotent;
import io.github.steadyjobs.Idempotent.IfDuplicate;
import io.github.steadyjobs.Idempotent.Strategy;
import io.github.steadyjobs.InvalidJobException;
import io.github.steadyjobs.arguments.ArgumentExpression;
import io.github.steadyjobs.arguments.ArgumentExpression.Attribute;
import io.github.steadyjobs.arguments.BeanMethod;
import io.github.steadyjobs.arguments.JobParameters;
import io.github.steadyjobs.idempotence.JobIdempotence.Declaration;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.json.JsonMapper;

import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;

/**
 * Reads the declaration of a job about a second run: resolves placeholders, applies
 * configuration, fills in the defaults, and checks the result.
 */
public final class IdempotenceReader {

	private final IdempotenceDefaults defaults;

	private final CustomStrategies strategies;

	private final JobParameters keys;

	/**
	 * Create a reader.
	 * @param defaults for idempotent jobs that leave something open
	 * @param beanFactory has the strategies of the application
	 * @param beanTypes knows the class of a bean, without its proxy
	 * @param mapper writes the values of keys
	 */
	public IdempotenceReader(IdempotenceDefaults defaults, ConfigurableListableBeanFactory beanFactory,
			Function<String, @Nullable Class<?>> beanTypes, JsonMapper mapper) {
		this.defaults = defaults;
		this.strategies = new CustomStrategies(beanFactory, beanTypes);
		this.keys = JobParameters.untyped(mapper);
	}

	/**
	 * Read what is said about a job.
	 * @param override replaces attributes by what configuration says about the job
	 * @param placeholders resolves placeholders; reports those that nothing sets, and
	 * leaves them as they are
	 * @param problems takes what is wrong, and how to fix it
	 * @return what was read; not to be used if there are problems
	 */
	public JobIdempotence read(BeanMethod<?> method, String name, UnaryOperator<Idempotent> override,
			UnaryOperator<String> placeholders, BiConsumer<String, String> problems) {
		Declared declared = Declared.of(method);
		declared.check(problems);
		String place = "Job '%s' (%s)".formatted(name, method);
		if (declared.idempotent() != null) {
			return new Reading(this, place, method, placeholders, problems).read(override.apply(declared.idempotent()));
		}
		return (declared.notIdempotent() != null) ? JobIdempotence.NOT_IDEMPOTENT : JobIdempotence.UNDECLARED;
	}

	/**
	 * Check the declaration of a bean's class.
	 * @param withoutJobs whether it has no method that is a job
	 * @param problems takes what is wrong, and how to fix it
	 */
	public void checkClass(Class<?> type, boolean withoutJobs, BiConsumer<String, String> problems) {
		Declared.check(type, withoutJobs, problems);
	}

	private record Reading(IdempotenceReader reader, String place, BeanMethod<?> method,
			UnaryOperator<String> placeholders, BiConsumer<String, String> problems) {

		JobIdempotence read(Idempotent annotation) {
			Strategy strategy = annotation.strategy();
			if (strategy == Strategy.DEFAULT) {
				strategy = this.reader.defaults.strategy();
			}
			Idempotence idempotence = new Idempotence(strategy, ttl(annotation.ttl()), null,
					ifDuplicate(annotation.ifDuplicate(), strategy), annotation.includeScheduled(),
					annotation.keepConsistency());
			ArgumentExpression key = key(annotation.key());
			return new JobIdempotence(Declaration.IDEMPOTENT, idempotence,
					(key != null) ? (job, arguments) -> evaluate(key, job, arguments) : null, custom(annotation));
		}

		private Duration ttl(String annotated) {
			String text = resolve(annotated);
			if (text == null || text.isBlank()) {
				return this.reader.defaults.ttl();
			}
			Duration ttl = IdempotenceDefaults.time(text);
			if (ttl == null) {
				this.problems.accept("%s has the ttl '%s'.".formatted(this.place, text),
						IdempotenceDefaults.TIME_ADVICE);
				return this.reader.defaults.ttl();
			}
			return ttl;
		}

		private IfDuplicate ifDuplicate(IfDuplicate wanted, Strategy strategy) {
			if (wanted == IfDuplicate.RUN_ONCE_MORE && strategy != Strategy.UNTIL_EXECUTED) {
				this.problems.accept(
						"%s is to RUN_ONCE_MORE after a duplicate, but its strategy is %s, which drops none while the job runs."
							.formatted(this.place, strategy),
						"Set the strategy to UNTIL_EXECUTED, or ifDuplicate to DROP.");
				return IfDuplicate.DROP;
			}
			return wanted;
		}

		private @Nullable ArgumentExpression key(String annotated) {
			String text = resolve(annotated);
			return (text == null || text.isBlank()) ? null : ArgumentExpression.read(
					new Attribute(Idempotent.class, "key", this.method, null), text,
					(what, action) -> this.problems.accept("%s has the key %s.".formatted(this.place, what), action));
		}

		private Object evaluate(ArgumentExpression key, String job, List<? extends @Nullable Object> arguments) {
			Object value = key.evaluate(job, arguments);
			try {
				this.reader.keys.check(job, List.of(value));
				return value;
			}
			catch (InvalidJobException ex) {
				throw key.invalid(job, "is a %s that JSON cannot hold".formatted(value.getClass().getName()));
			}
		}

		private @Nullable Supplier<IdempotenceStrategy> custom(Idempotent annotation) {
			Class<? extends IdempotenceStrategy> type = annotation.custom();
			return (type == IdempotenceStrategy.class) ? null
					: this.reader.strategies.find(type, this.place, this.problems);
		}

		/**
		 * Resolve placeholders.
		 * @return the text, or {@code null} if there was a problem, which was reported
		 */
		private @Nullable String resolve(String text) {
			String resolved = this.placeholders.apply(text);
			return resolved.contains("${") ? null : resolved;
		}

	}

}
