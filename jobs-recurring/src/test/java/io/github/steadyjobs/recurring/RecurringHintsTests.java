package io.github.steadyjobs.recurring;

import io.github.steadyjobs.recurring.DeclaredSet.Stored;
import io.github.steadyjobs.recurring.DeclaredSet.StoredSet;
import io.github.steadyjobs.recurring.RecurringState.Pause;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import org.springframework.aot.generate.ClassNameGenerator;
import org.springframework.aot.generate.DefaultGenerationContext;
import org.springframework.aot.generate.InMemoryGeneratedFiles;
import org.springframework.aot.hint.MemberCategory;
import org.springframework.aot.hint.RuntimeHints;
import org.springframework.aot.hint.predicate.RuntimeHintsPredicates;
import org.springframework.context.annotation.AnnotationConfigApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.aot.ApplicationContextAotGenerator;
import org.springframework.javapoet.ClassName;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for the hints of {@link RecurringJobs} for native images.
 */
class RecurringHintsTests {

	private static RuntimeHints hints;

	@BeforeAll
	static void process() {
		try (AnnotationConfigApplicationContext context = new AnnotationConfigApplicationContext()) {
			context.register(Application.class);
			DefaultGenerationContext generation = new DefaultGenerationContext(
					new ClassNameGenerator(ClassName.get("generated", "Application")), new InMemoryGeneratedFiles());
			new ApplicationContextAotGenerator().processAheadOfTime(context, generation);
			hints = generation.getRuntimeHints();
		}
	}

	@ParameterizedTest
	@ValueSource(classes = { StoredSet.class, Stored.class, Pause.class })
	void processRegistersStoredRecordsForJson(Class<?> type) {
		assertThat(RuntimeHintsPredicates.reflection()
			.onType(type)
			.withMemberCategory(MemberCategory.INVOKE_DECLARED_CONSTRUCTORS)).accepts(hints);
	}

	@Configuration(proxyBeanMethods = false)
	static class Application {

		@Bean
		RecurringJobs recurringJobs() {
			throw new IllegalStateException("Not created while the application is processed");
		}

	}

}
