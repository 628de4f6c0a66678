package io.github.steadyjobs.definition;

import java.io.Serializable;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;

import io.github.steadyjobs.Job;
import io.github.steadyjobs.NotIdempotent;
import io.github.steadyjobs.RetriesExhausted;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.stereotype.Component;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link JobCandidates}.
 */
class JobCandidatesTests {

	private final JobCandidates candidates = new JobCandidates();

	@ParameterizedTest
	@ValueSource(classes = { OnMethod.class, OnClass.class, OnHiddenMethod.class, Inherited.class, Implementing.class,
			Composed.class, TwiceComposed.class, Stray.class })
	void containsClassesWithAnnotationsForJobs(Class<?> type) {
		assertThat(this.candidates.contains(type)).isTrue();
	}

	@ParameterizedTest
	@ValueSource(classes = { Object.class, String.class, Plain.class, WithOtherAnnotations.class })
	void containsNoOtherClasses(Class<?> type) {
		assertThat(this.candidates.contains(type)).isFalse();
	}

	@Test
	void containsClassWhoseAnnotationsAreAnnotationsOfEachOther() {
		assertThat(this.candidates.contains(Circular.class)).isTrue();
	}

	static class OnMethod {

		@Job
		@NotIdempotent("a test")
		public void run() {
		}

	}

	@Job
	static class OnClass {

	}

	static class OnHiddenMethod {

		@Job
		private void run() {
		}

	}

	static class Inherited extends OnMethod {

	}

	interface Contract {

		@Job
		void run();

	}

	static class Implementing implements Serializable, Contract {

		@Override
		public void run() {
		}

	}

	@Job
	@Retention(RetentionPolicy.RUNTIME)
	@interface Mail {

	}

	@Mail
	@Retention(RetentionPolicy.RUNTIME)
	@interface Newsletter {

	}

	static class Composed {

		@Mail
		void run() {
		}

	}

	static class TwiceComposed {

		@Newsletter
		void run() {
		}

	}

	static class Stray {

		@RetriesExhausted
		void exhausted() {
		}

	}

	static class Plain {

		@Override
		public String toString() {
			return "";
		}

	}

	@Retention(RetentionPolicy.RUNTIME)
	@interface Other {

	}

	@Component
	static class WithOtherAnnotations {

		@Autowired
		@Other
		void set(String value) {
		}

	}

	@Second
	@Job
	@Retention(RetentionPolicy.RUNTIME)
	@interface First {

	}

	@First
	@Retention(RetentionPolicy.RUNTIME)
	@interface Second {

	}

	static class Circular {

		@Second
		void run() {
		}

	}

}
