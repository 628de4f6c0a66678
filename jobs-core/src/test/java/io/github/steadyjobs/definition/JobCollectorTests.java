package io.github.steadyjobs.definition;

import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.util.Map;
import java.util.Set;

import io.github.steadyjobs.Job;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.core.annotation.AliasFor;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link JobCollector}: the definition of a job that results from annotations
 * and configuration.
 */
@ExtendWith(OutputCaptureExtension.class)
class JobCollectorTests {

	@Test
	void collectWhenMethodHasNoNameTakesClassAndMethod() {
		try (JobsContext context = JobsContext.of(Mails.class)) {
			JobDefinition job = context.job("Mails.send");
			assertThat(job.queue()).isEqualTo("default");
			assertThat(job.retry().retries()).isNull();
			assertThat(job.names()).hasSize(1);
			assertThat(job.beanType()).isEqualTo(Mails.class);
			assertThat(job.method()).isNotNull().returns("send", (method) -> method.getName());
			assertThat(job.hasBean()).isTrue();
		}
	}

	@Test
	void collectWhenClassIsJobTakesPerformAndClassName() {
		try (JobsContext context = JobsContext.of(Cleanup.class)) {
			JobDefinition job = context.job("Cleanup");
			assertThat(job.queue()).isEqualTo("low");
			assertThat(job.method()).isNotNull().returns("perform", (method) -> method.getName());
		}
	}

	@Test
	void collectWhenAttributesHavePlaceholdersResolvesThem() {
		Map<String, Object> properties = Map.of("app", "shop", "app.queue", "mail");
		try (JobsContext context = JobsContext.withProperties(properties, Placeholders.class)) {
			JobDefinition job = context.job("shop.send");
			assertThat(job.queue()).isEqualTo("mail");
			assertThat(job.names()).containsExactly("shop.send", "shop.former");
			assertThat(context.registry().find("shop.former")).isSameAs(job);
			assertThat(context.registry().names()).isEqualTo(Set.of("shop.send", "shop.former"));
		}
	}

	@Test
	void collectWhenConfigurationOverridesUsesIt() {
		Map<String, JobSettings> settings = Map.of("Mails.send",
				JobSettings.NONE.with("queue", "slow").with("retries", "3"));
		try (JobsContext context = JobsContext.withSettings(settings, Mails.class)) {
			assertThat(context.job("Mails.send").queue()).isEqualTo("slow");
			assertThat(context.job("Mails.send").retry().retries()).isEqualTo(3);
		}
	}

	@Test
	void collectWhenConfigurationOverridesPartKeepsTheRest() {
		Map<String, JobSettings> settings = Map.of("Cleanup", JobSettings.NONE.with("retries", "0"));
		try (JobsContext context = JobsContext.withSettings(settings, Cleanup.class)) {
			assertThat(context.job("Cleanup").queue()).isEqualTo("low");
			assertThat(context.job("Cleanup").retry().retries()).isZero();
		}
	}

	@Test
	void collectWhenConfigurationNamesNoJobWarns(CapturedOutput output) {
		Map<String, JobSettings> settings = Map.of("Mails.sned",
				JobSettings.NONE.with("queue", "slow").with("retries", "3"));
		JobsContext.withSettings(settings, Mails.class).close();
		assertThat(output).contains("No bean of this application has a job named 'Mails.sned'");
	}

	@Test
	void collectWhenAnnotationIsMetaMergesAttributes() {
		try (JobsContext context = JobsContext.of(Meta.class)) {
			JobDefinition job = context.job("urgent.one");
			assertThat(job.queue()).isEqualTo("urgent");
			assertThat(job.retry().retries()).isEqualTo(2);
		}
	}

	@Test
	void collectWhenSuperclassHasJobNamesItByEachSubclass() {
		try (JobsContext context = JobsContext.of(Left.class, Right.class)) {
			assertThat(context.registry().names()).isEqualTo(Set.of("Left.handle", "Right.handle"));
		}
	}

	@Test
	void collectWhenInterfaceHasJobFindsIt() {
		try (JobsContext context = JobsContext.of(Implementation.class)) {
			assertThat(context.registry().names()).isEqualTo(Set.of("Implementation.work"));
		}
	}

	@Test
	void collectWhenNoBeanHasJobsFindsNone() {
		try (JobsContext context = JobsContext.of(Calls.class)) {
			assertThat(context.registry().definitions()).isEmpty();
		}
	}

	static class Mails {

		@Job
		void send(String to) {
		}

	}

	@Job(queue = "low")
	static class Cleanup {

		public void perform() {
		}

		void perform(String notPublic) {
		}

	}

	static class Placeholders {

		@Job(name = "${app}.send", queue = "${app.queue}", aliases = "${app}.former")
		void send() {
		}

	}

	@Job(queue = "urgent")
	@Retention(RetentionPolicy.RUNTIME)
	@interface Urgent {

		@AliasFor(annotation = Job.class, attribute = "name")
		String value();

		@AliasFor(annotation = Job.class, attribute = "retries")
		int[] attempts() default 2;

	}

	static class Meta {

		@Urgent("urgent.one")
		void one() {
		}

	}

	abstract static class Base<T> {

		@Job
		void handle(T value) {
		}

	}

	static class Left extends Base<String> {

	}

	static class Right extends Base<Integer> {

	}

	interface Contract {

		@Job
		void work();

	}

	static class Implementation implements Contract {

		@Override
		public void work() {
		}

	}

}
