package io.github.steadyjobs.definition;

import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Supplier;

import io.github.steadyjobs.DiscardJobException;
import io.github.steadyjobs.Job;
import io.github.steadyjobs.JobPayload;
import io.github.steadyjobs.KillJobException;
import io.github.steadyjobs.RetryDelay;
import io.github.steadyjobs.arguments.ExpressionScope;
import io.github.steadyjobs.arguments.ExpressionScope.Variable;
import io.github.steadyjobs.arguments.JobExpression;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import org.springframework.beans.factory.support.AbstractBeanDefinition;

/**
 * Finds the back-off that decides when a failed job runs again: a bean, a duration or an
 * expression.
 */
final class BackoffReader {

	private static final Logger logger = LoggerFactory.getLogger(BackoffReader.class);

	private static final double MILLIS = 1000;

	// The failure is an Object: its class may have properties that Throwable lacks.
	private static final ExpressionScope SCOPE = new ExpressionScope(Job.class, "backoff",
			"#count < 5 ? '30s' : 'KILL'", List.of(new Variable(List.of("count"), int.class),
					new Variable(List.of("job"), JobPayload.class), new Variable(List.of("failure"), Object.class)),
			true);

	private final JobBeans beans;

	private final Set<String> noticed = ConcurrentHashMap.newKeySet();

	BackoffReader(JobBeans beans) {
		this.beans = beans;
	}

	/**
	 * Find a back-off.
	 * @return a supplier of the back-off; {@code null} if no back-off is set, or if there
	 * is a problem
	 */
	@Nullable Supplier<RetryDelay> find(String annotated, JobReading reading) {
		String text = reading.resolve(reading.option(JobOption.BACKOFF, annotated));
		if (!JobReading.isSet(text)) {
			return null;
		}
		if (text.contains("#")) {
			JobExpression expression = reading.expression(SCOPE, text);
			return (expression != null) ? () -> computed(expression) : null;
		}
		Duration time = JobOption.time(text);
		if (time != null) {
			return () -> (count, job, failure) -> time;
		}
		Class<?> type = this.beans.find(text);
		if (!this.beans.contains(text) || (type != null && !RetryDelay.class.isAssignableFrom(type))) {
			reading.report(
					"has the backoff '%s', which is %s".formatted(text,
							(type != null) ? "a bean of type " + type.getName()
									: "neither a bean nor a time nor, without a '#', an expression"),
					"Name a bean of type RetryDelay, or write a time as in backoff = \"30s\", or an expression as in backoff = \"#count * 10\".");
			return null;
		}
		warnIfDefault(text, reading);
		return () -> this.beans.get(text, RetryDelay.class);
	}

	private static RetryDelay computed(JobExpression expression) {
		return (count, job, failure) -> delay(expression.evaluate(List.of(count, job, failure)));
	}

	private static Duration delay(@Nullable Object value) {
		if (value instanceof Duration delay) {
			return delay;
		}
		if (value instanceof Number seconds) {
			return Duration.ofMillis(Math.round(seconds.doubleValue() * MILLIS));
		}
		String text = String.valueOf(value);
		if (text.equals("DISCARD")) {
			throw new DiscardJobException("The back-off says so");
		}
		if (text.equals("KILL")) {
			throw new KillJobException("The back-off says so");
		}
		Duration delay = JobOption.time(text);
		if (delay == null) {
			throw new IllegalArgumentException(
					"'%s' is neither a time nor a number of seconds, 'DISCARD' or 'KILL'".formatted(text));
		}
		return delay;
	}

	/**
	 * Warn if the bean is the only one of its type. Such a bean becomes the default for
	 * all jobs, which is probably not intended if a job refers to it by name.
	 */
	private void warnIfDefault(String name, JobReading reading) {
		List<String> defaults = this.beans.names(RetryDelay.class).stream().filter(this::isDefaultCandidate).toList();
		if (defaults.equals(List.of(name)) && this.noticed.add(name)) {
			logger.warn(
					"{} names the RetryDelay '{}', which is the only one and so decides for all jobs. To let it "
							+ "decide only for jobs that name it, declare it with @Bean(defaultCandidate = false)",
					reading, name);
		}
	}

	private boolean isDefaultCandidate(String name) {
		return !(this.beans.definition(name) instanceof AbstractBeanDefinition bean) || bean.isDefaultCandidate();
	}

}
