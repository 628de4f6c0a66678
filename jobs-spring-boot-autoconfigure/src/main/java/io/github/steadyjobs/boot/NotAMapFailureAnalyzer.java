package io.github.steadyjobs.boot;

import org.jspecify.annotations.Nullable;

import org.springframework.boot.context.properties.bind.BindException;
import org.springframework.boot.context.properties.source.ConfigurationPropertyName;
import org.springframework.boot.context.properties.source.ConfigurationPropertyName.Form;
import org.springframework.boot.diagnostics.AbstractFailureAnalyzer;
import org.springframework.boot.diagnostics.FailureAnalysis;
import org.springframework.core.annotation.Order;
import org.springframework.core.convert.ConverterNotFoundException;
import org.springframework.core.env.Environment;

/**
 * Explains how to configure queues and capsules if they are configured as a list or a
 * single value, although their settings are grouped by name. Runs before Spring Boot's
 * own analyzer, which would name the types that cannot be converted.
 */
@Order(0)
class NotAMapFailureAnalyzer extends AbstractFailureAnalyzer<BindException> {

	private static final ConfigurationPropertyName QUEUES = ConfigurationPropertyName.of("steadyjobs.queues");

	private static final ConfigurationPropertyName CAPSULES = ConfigurationPropertyName.of("steadyjobs.capsules");

	private final Environment environment;

	NotAMapFailureAnalyzer(Environment environment) {
		this.environment = environment;
	}

	@Override
	protected @Nullable FailureAnalysis analyze(Throwable rootFailure, BindException cause) {
		ConfigurationPropertyName name = cause.getName();
		String value = this.environment.getProperty(name.toString());
		boolean named = QUEUES.isParentOf(name) || CAPSULES.isParentOf(name);
		if (!(cause.getCause() instanceof ConverterNotFoundException) || value == null
				|| !(named || name.equals(QUEUES) || name.equals(CAPSULES))) {
			return null;
		}
		String key = (named && !name.isLastElementIndexed()) ? name.getLastElement(Form.ORIGINAL)
				: value.split(",")[0].trim();
		String action = name.getElement(1, Form.UNIFORM).equals("queues")
				? "Queues have settings by name. Write 'steadyjobs.queues.%s.weight=%s', and the same for each other queue."
					.formatted(key, value.matches("\\d+") ? value : "1")
				: "Capsules have settings by name. Write 'steadyjobs.capsules.%s.queues=%s', and the same for each other capsule."
					.formatted(key, value);
		return new JobsPropertyFailureAnalyzer(this.environment).analyze(rootFailure,
				new JobsPropertyException(name.toString(), value, action));
	}

}
