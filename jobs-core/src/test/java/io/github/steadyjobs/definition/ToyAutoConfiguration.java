package io.github.steadyjobs.definition;

import io.github.steadyjobs.Job;

import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/**
 * Declares a bean as this library declares its own beans.
 */
@Configuration(proxyBeanMethods = false)
class ToyAutoConfiguration {

	@Bean
	Toy toy() {
		return new Toy();
	}

	static class Toy {

		@Job
		public void run() {
		}

	}

}
