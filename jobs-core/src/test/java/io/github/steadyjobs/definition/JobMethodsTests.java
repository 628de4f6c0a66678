package io.github.steadyjobs.definition;

import io.github.steadyjobs.Recurring;
import io.github.steadyjobs.RetriesExhausted;
import org.junit.jupiter.api.Test;

import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link JobMethods}: which classes are looked at closely. {@link JobCollector}
 * is tested with all places in which annotations may be.
 */
class JobMethodsTests {

	@Test
	void mayBeInWhenAnnotationsAreOnlyOfJavaAndSpringIsFalse() {
		assertThat(JobMethods.mayBeIn(Ordinary.class)).isFalse();
	}

	@Test
	void mayBeInWhenAnyMethodAboveHasAnotherAnnotationIsTrue() {
		assertThat(JobMethods.mayBeIn(Stray.class)).isTrue();
		assertThat(JobMethods.mayBeIn(Below.class)).isTrue();
	}

	@Configuration
	static class Ordinary {

		@Bean
		@Deprecated
		String bean() {
			return "";
		}

	}

	static class Stray {

		@Recurring(every = "1h")
		void run() {
		}

	}

	interface Above {

		@RetriesExhausted
		default void exhausted() {
		}

	}

	abstract static class Between implements Above {

	}

	static class Below extends Between {

	}

}
