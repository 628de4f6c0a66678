package io.github.steadyjobs.boot;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.Map;

import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.boot.env.PropertiesPropertySourceLoader;
import org.springframework.boot.env.PropertySourceLoader;
import org.springframework.boot.env.YamlPropertySourceLoader;
import org.springframework.core.env.Environment;
import org.springframework.core.env.StandardEnvironment;
import org.springframework.core.env.SystemEnvironmentPropertySource;
import org.springframework.core.io.ByteArrayResource;

/**
 * Binds properties in the same way as Spring Boot.
 */
final class Bound {

	private Bound() {
	}

	static JobsProperties yaml(String text) {
		return bind(new YamlPropertySourceLoader(), text);
	}

	static JobsProperties properties(String... lines) {
		return bind(new PropertiesPropertySourceLoader(), String.join("\n", lines));
	}

	static DoctorProperties doctor(String line) {
		return Binder.get(environment(line)).bindOrCreate("steadyjobs.doctor", DoctorProperties.class);
	}

	static JobsProperties environment(Map<String, Object> variables) {
		StandardEnvironment environment = new StandardEnvironment();
		environment.getPropertySources()
			.replace(StandardEnvironment.SYSTEM_ENVIRONMENT_PROPERTY_SOURCE_NAME, new SystemEnvironmentPropertySource(
					StandardEnvironment.SYSTEM_ENVIRONMENT_PROPERTY_SOURCE_NAME, variables));
		return Binder.get(environment).bindOrCreate("steadyjobs", JobsProperties.class);
	}

	static Environment environment(String... lines) {
		return environment(new PropertiesPropertySourceLoader(), String.join("\n", lines));
	}

	private static JobsProperties bind(PropertySourceLoader loader, String text) {
		Binder binder = Binder.get(environment(loader, text));
		binder.bindOrCreate("steadyjobs.history", HistoryProperties.class);
		return binder.bindOrCreate("steadyjobs", JobsProperties.class);
	}

	private static Environment environment(PropertySourceLoader loader, String text) {
		StandardEnvironment environment = new StandardEnvironment();
		try {
			loader.load("test", new ByteArrayResource(text.getBytes(StandardCharsets.UTF_8)))
				.forEach(environment.getPropertySources()::addFirst);
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
		return environment;
	}

}
