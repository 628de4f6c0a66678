package io.github.steadyjobs.definition;

import java.time.Duration;
import java.util.List;
import java.util.Objects;

import io.github.steadyjobs.Idempotence;
import io.github.steadyjobs.Idempotent;
import io.github.steadyjobs.Idempotent.IfDuplicate;
import io.github.steadyjobs.Idempotent.Strategy;
import io.github.steadyjobs.InvalidJobException;
import io.github.steadyjobs.NotIdempotent;
import io.github.steadyjobs.arguments.BeanMethod;
import io.github.steadyjobs.arguments.ExpressionScope;
import io.github.steadyjobs.arguments.JobExpression;
import io.github.steadyjobs.arguments.JobParameters;
import io.github.steadyjobs.definition.JobDefinition.Declaration;
import io.github.steadyjobs.definition.JobDefinition.SecondRun;
import org.jspecify.annotations.Nullable;

import org.springframework.core.annotation.MergedAnnotation;
import org.springframework.core.annotation.MergedAnnotations;
import org.springframework.core.annotation.MergedAnnotations.SearchStrategy;

/**
 * Reads and checks what a job declares about a second run. Used once.
 */
final class IdempotenceReader {

	private final BeanMethod<?> method;

	private final JobReading reading;

	private final IdempotenceDefaults defaults;

	private final CustomStrategies strategies;

	IdempotenceReader(BeanMethod<?> method, JobReading reading, IdempotenceDefaults defaults,
			CustomStrategies strategies) {
		this.method = method;
		this.reading = reading;
		this.defaults = defaults;
		this.strategies = strategies;
	}

	/** Check the declaration of a bean's class, even if no job of the bean uses it. */
	static void checkClass(Class<?> type, Problems problems) {
		Declared.of(type).check(problems);
	}

	/**
	 * Read the declaration of the job.
	 * @param values the parameters used to check that the value of a key can be stored
	 * @return the rules; must not be used if there are problems
	 */
	SecondRun read(JobParameters values) {
		Declared declared = Declared.of(this.method);
		declared.check(this.reading.problems());
		Idempotent idempotent = declared.idempotent();
		this.reading.checkNeeded(Idempotent.class, idempotent != null);
		if (idempotent == null) {
			return (declared.notIdempotent() != null) ? SecondRun.NOT_IDEMPOTENT : SecondRun.UNDECLARED;
		}
		Strategy strategy = this.reading.option(JobOption.IDEMPOTENCE_STRATEGY, idempotent.strategy());
		strategy = (strategy != Strategy.DEFAULT) ? strategy : this.defaults.strategy();
		Duration ttl = this.reading.time(JobOption.IDEMPOTENCE_TTL, idempotent.ttl());
		Idempotence settings = new Idempotence(strategy, Objects.requireNonNullElse(ttl, this.defaults.ttl()), null,
				ifDuplicate(idempotent, strategy),
				this.reading.option(JobOption.INCLUDE_SCHEDULED, idempotent.includeScheduled()),
				this.reading.option(JobOption.KEEP_CONSISTENCY, idempotent.keepConsistency()));
		JobExpression key = this.reading.expression(
				ExpressionScope.ofArguments(Idempotent.class, "key", this.method, this.method.argumentTypes(), false),
				idempotent.key());
		return new SecondRun(Declaration.IDEMPOTENT, settings,
				(key != null) ? (job, arguments) -> evaluate(key, job, arguments, values) : null,
				this.strategies.find(idempotent.custom(), this.reading));
	}

	private IfDuplicate ifDuplicate(Idempotent idempotent, Strategy strategy) {
		IfDuplicate wanted = this.reading.option(JobOption.IF_DUPLICATE, idempotent.ifDuplicate());
		if (wanted == IfDuplicate.DROP || strategy == Strategy.UNTIL_EXECUTED) {
			return wanted;
		}
		this.reading
			.report("is to RUN_ONCE_MORE after a duplicate, but its strategy is %s, which drops none while the job runs"
				.formatted(strategy), "Set the strategy to UNTIL_EXECUTED, or ifDuplicate to DROP.");
		return IfDuplicate.DROP;
	}

	private static Object evaluate(JobExpression key, String job, List<? extends @Nullable Object> arguments,
			JobParameters values) {
		Object value = key.evaluate(job, arguments);
		try {
			values.check(job, List.of(value));
			return value;
		}
		catch (InvalidJobException ex) {
			throw key.invalid(job, "is a %s that JSON cannot hold".formatted(value.getClass().getName()));
		}
	}

	/** The declaration of one method or class. */
	private record Declared(String place, @Nullable Idempotent idempotent, @Nullable NotIdempotent notIdempotent) {

		/** Find the declaration on a method or, if there is none, on its bean's class. */
		static Declared of(BeanMethod<?> method) {
			Declared onMethod = of(method.toString(),
					MergedAnnotations.from(method.method(), SearchStrategy.TYPE_HIERARCHY));
			boolean none = onMethod.idempotent() == null && onMethod.notIdempotent() == null;
			return none ? of(method.type()) : onMethod;
		}

		/** Find the declaration of a class. A superclass's declaration does not count. */
		static Declared of(Class<?> type) {
			return of(type.getName(), MergedAnnotations.from(type, SearchStrategy.DIRECT));
		}

		/** Find the declaration in a hierarchy. The nearest declaration counts. */
		private static Declared of(String place, MergedAnnotations annotations) {
			MergedAnnotation<Idempotent> yes = annotations.get(Idempotent.class);
			MergedAnnotation<NotIdempotent> no = annotations.get(NotIdempotent.class);
			boolean both = yes.isPresent() && no.isPresent();
			int order = both ? Integer.compare(yes.getAggregateIndex(), no.getAggregateIndex()) : 0;
			return new Declared(place, (yes.isPresent() && order <= 0) ? yes.synthesize() : null,
					(no.isPresent() && order >= 0) ? no.synthesize() : null);
		}

		void check(Problems problems) {
			if (this.idempotent != null && this.notIdempotent != null) {
				problems.add("%s is both @Idempotent and @NotIdempotent.".formatted(this.place),
						"Keep @Idempotent if a second run with the same arguments changes nothing more, and @NotIdempotent otherwise.");
			}
			if (this.notIdempotent != null && this.notIdempotent.value().isBlank()) {
				problems.add("%s is @NotIdempotent without a reason.".formatted(this.place),
						"Say why, and what guards against a second run, as in @NotIdempotent(\"posts money; guarded by the ledger\").");
			}
		}

	}

}
