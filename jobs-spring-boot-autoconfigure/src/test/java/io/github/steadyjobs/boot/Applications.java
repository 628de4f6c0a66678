package io.github.steadyjobs.boot;

import java.util.Arrays;
import java.util.stream.Stream;

import org.springframework.boot.Banner;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Configuration;

import static org.assertj.core.api.Assertions.assertThatException;

/**
 * Starts applications in the same way as their main methods, with every
 * auto-configuration.
 */
final class Applications {

	private Applications() {
	}

	static ConfigurableApplicationContext run(Class<?> source, String... properties) {
		SpringApplication application = new SpringApplication(Application.class, source);
		application.setWebApplicationType(WebApplicationType.NONE);
		application.setBannerMode(Banner.Mode.OFF);
		application.setRegisterShutdownHook(false);
		return application.run(Stream.of(properties).map((property) -> "--" + property).toArray(String[]::new));
	}

	/**
	 * Start an application that fails to start.
	 * @return the text that its user sees from "Description:" on, without line breaks
	 */
	static String failToRun(CapturedOutput output, Class<?> source, String... properties) {
		String[] all = Arrays.copyOf(properties, properties.length + 1);
		all[properties.length] = "spring.data.redis.url=redis://127.0.0.1:1";
		assertThatException().isThrownBy(() -> run(source, all).close());
		String text = output.getOut();
		return text.substring(text.indexOf("Description:")).replaceAll("\\s+", " ").trim();
	}

	@Configuration(proxyBeanMethods = false)
	@EnableAutoConfiguration
	static class Application {

	}

}
