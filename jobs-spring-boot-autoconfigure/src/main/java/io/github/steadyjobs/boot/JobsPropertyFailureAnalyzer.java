package io.github.steadyjobs.boot;

import java.util.Objects;
import java.util.stream.StreamSupport;

import org.jspecify.annotations.Nullable;

import org.springframework.boot.context.properties.source.ConfigurationProperty;
import org.springframework.boot.context.properties.source.ConfigurationPropertyName;
import org.springframework.boot.context.properties.source.ConfigurationPropertySources;
import org.springframework.boot.diagnostics.AbstractFailureAnalyzer;
import org.springframework.boot.diagnostics.FailureAnalysis;
import org.springframework.boot.origin.Origin;
import org.springframework.core.annotation.Order;
import org.springframework.core.env.Environment;

/**
 * Turns a {@link JobsPropertyException} into a description and an action: the full name
 * of the property, where it is set, and what to set instead. Runs before Spring Boot's
 * own analyzer, which would name the class to which the property is bound.
 */
@Order(0)
class JobsPropertyFailureAnalyzer extends AbstractFailureAnalyzer<JobsPropertyException> {

	private final Environment environment;

	JobsPropertyFailureAnalyzer(Environment environment) {
		this.environment = environment;
	}

	@Override
	protected FailureAnalysis analyze(Throwable rootFailure, JobsPropertyException cause) {
		String description = (cause.value() != null)
				? "The property '%s' has the value '%s'%s.".formatted(cause.property(), cause.value(), origin(cause))
				: "The property '%s' is not set.".formatted(cause.property());
		return new FailureAnalysis(description, cause.action(), cause);
	}

	private String origin(JobsPropertyException cause) {
		Origin origin = findOrigin(ConfigurationPropertyName.adapt(cause.property(), '.'));
		return (origin != null) ? " (" + origin + ")" : "";
	}

	private @Nullable Origin findOrigin(ConfigurationPropertyName name) {
		return StreamSupport.stream(ConfigurationPropertySources.get(this.environment).spliterator(), false)
			.map((source) -> source.getConfigurationProperty(name))
			.filter(Objects::nonNull)
			.map(ConfigurationProperty::getOrigin)
			.filter(Objects::nonNull)
			.findFirst()
			.orElse(null);
	}

}
