package io.github.steadyjobs.boot;

import java.util.concurrent.CompletableFuture;

import io.github.steadyjobs.Idempotent;
import io.github.steadyjobs.Job;
import io.github.steadyjobs.RetriesExhausted;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

import org.springframework.aop.framework.ProxyFactory;
import org.springframework.beans.factory.config.BeanPostProcessor;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link JobDefinitionFailureAnalyzer}: the message that the user sees for an
 * invalid job.
 */
@ExtendWith(OutputCaptureExtension.class)
class JobDefinitionFailureAnalyzerTests {

	private static final String HERE = JobDefinitionFailureAnalyzerTests.class.getName() + "$";

	@Test
	void runWhenTwoBeansTakeOneNameSaysWhichAndWhatToType(CapturedOutput output) {
		assertThat(Applications.failToRun(output, SameName.class)).isEqualTo("Description: The beans 'firstJobs' ("
				+ HERE + "FirstJobs.send) and 'secondJobs' (" + HERE
				+ "SecondJobs.post) both take the job name 'send'. Action: Rename one of them with @Job(name = \"…\"), "
				+ "or remove the alias. Jobs already in Redis keep the name they were stored under.");
	}

	@Test
	void runWhenMethodIsPrivateSaysWhatToType(CapturedOutput output) {
		assertThat(Applications.failToRun(output, PrivateJobs.class)).isEqualTo("Description: " + HERE
				+ "PrivateJobs.send is a @Job and private, so proxies and recorded calls miss it. Action: Make it "
				+ "package-private or public.");
	}

	@Test
	void runWhenMethodIsStaticSaysWhatToType(CapturedOutput output) {
		assertThat(Applications.failToRun(output, StaticJobs.class)).isEqualTo("Description: " + HERE
				+ "StaticJobs.send is a @Job and static, so it would run without its bean. Action: Remove 'static'.");
	}

	@Test
	void runWhenMethodIsOverloadedSaysWhatToType(CapturedOutput output) {
		assertThat(Applications.failToRun(output, OverloadedJobs.class)).isEqualTo("Description: void " + HERE
				+ "OverloadedJobs.send(int) and void " + HERE
				+ "OverloadedJobs.send(java.lang.String) are two jobs named 'OverloadedJobs.send'. Action: Name one of "
				+ "them: @Job(name = \"…\"). Jobs already in Redis keep the name they were stored under.");
	}

	@Test
	void runWhenProxyLacksTheMethodSaysWhatToType(CapturedOutput output) {
		assertThat(Applications.failToRun(output, Proxied.class)).startsWith("Description: ")
			.contains("'mailer'", HERE + "Mailer.send")
			.endsWith(
					" Action: Put the method on an interface of the bean, or set spring.aop.proxy-target-class=true.");
	}

	@Test
	void runWhenMethodReturnsAFutureSaysWhatToType(CapturedOutput output) {
		assertThat(Applications.failToRun(output, FutureJobs.class)).isEqualTo("Description: " + HERE
				+ "FutureJobs.send is a @Job and returns a java.util.concurrent.CompletableFuture: it would count as "
				+ "done before its work is. Action: Wait for the result inside the method, with join() or block().");
	}

	@Test
	void runWhenArgumentCannotBeStoredSaysWhatToType(CapturedOutput output) {
		assertThat(Applications.failToRun(output, ObjectJobs.class))
			.startsWith("Description: Job 'ObjectJobs.send' (" + HERE + "ObjectJobs.send) cannot be stored: ")
			.contains("is of type java.lang.Object", "Action: Declare a record or a concrete class");
	}

	@Test
	void runWhenMethodForExhaustedRetriesIsWrongSaysWhatToType(CapturedOutput output) {
		assertThat(Applications.failToRun(output, MourningJobs.class)).isEqualTo("Description: " + HERE
				+ "MourningJobs.exhausted is a @RetriesExhausted and takes (java.lang.String), not all of which "
				+ "job 'MourningJobs.send' has. Action: Let it take the arguments of the job, (int), or none of them, "
				+ "optionally followed by a JobPayload and a Throwable.");
	}

	@Test
	void runWhenIdempotentHasNoJobSaysWhatToType(CapturedOutput output) {
		assertThat(Applications.failToRun(output, StrayJobs.class)).isEqualTo("Description: " + HERE
				+ "StrayJobs.send has @Idempotent but no @Job. Action: Put @Job on it as well, or remove @Idempotent.");
	}

	@Test
	void runWhenKeyIsWrongSaysWhatToType(CapturedOutput output) {
		assertThat(Applications.failToRun(output, KeyJobs.class)).isEqualTo("Description: Job 'KeyJobs.send' (" + HERE
				+ "KeyJobs.send) has the key '#mail.adress', which refers to '#mail.adress', but " + HERE
				+ "Mail has no such property. Action: Use one that it has: address, text.");
	}

	@Test
	void runWhenJobsHaveToDeclareAndDoNotSaysWhich(CapturedOutput output) {
		assertThat(Applications.failToRun(output, SameBean.class, "steadyjobs.idempotence.undeclared=fail"))
			.isEqualTo("Description: 1. Job 'SameBean.post' (" + HERE + "SameBean.post) does not say whether it is "
					+ "idempotent. 2. Job 'SameBean.send' (" + HERE + "SameBean.send) does not say whether it is "
					+ "idempotent. Action: 1. Put @Idempotent on the method if a second run with the same arguments "
					+ "changes nothing more, otherwise @NotIdempotent(\"why that is accepted\"). 2. Put @Idempotent on the "
					+ "method if a second run with the same arguments changes nothing more, otherwise "
					+ "@NotIdempotent(\"why that is accepted\").");
	}

	@Test
	void runWhenConfigurationDeduplicatesAJobThatIsNotIdempotentSaysWhatToType(CapturedOutput output) {
		assertThat(Applications.failToRun(output, SameBean.class, "steadyjobs.jobs.SameBean.send.idempotence-ttl=5m"))
			.isEqualTo("Description: Job 'SameBean.send' (" + HERE + "SameBean.send) is not @Idempotent, but "
					+ "configuration sets its idempotence-ttl. Action: Put @Idempotent on the method, or remove "
					+ "'idempotence-ttl' from 'steadyjobs.jobs.SameBean.send'.");
	}

	@Test
	void runWhenThereAreSeveralMistakesNumbersThem(CapturedOutput output) {
		assertThat(Applications.failToRun(output, ManyMistakes.class))
			.matches("Description: 1\\. .*PrivateJobs.send is .* 2\\. .*StaticJobs.send is .* "
					+ "Action: 1\\. Make it package-private or public\\. 2\\. Remove 'static'\\.");
	}

	@Test
	void runWhenInitializationIsLazySaysTheSame(CapturedOutput output) {
		assertThat(Applications.failToRun(output, StaticJobs.class, "spring.main.lazy-initialization=true"))
			.contains("StaticJobs.send is a @Job and static");
	}

	@Test
	void runWhenWorkerIsSwitchedOffSaysTheSame(CapturedOutput output) {
		assertThat(Applications.failToRun(output, StaticJobs.class, "steadyjobs.worker.enabled=false"))
			.contains("StaticJobs.send is a @Job and static");
	}

	@Configuration(proxyBeanMethods = false)
	static class SameName {

		@Bean
		FirstJobs firstJobs() {
			return new FirstJobs();
		}

		@Bean
		SecondJobs secondJobs() {
			return new SecondJobs();
		}

	}

	static class FirstJobs {

		@Job(name = "send")
		void send() {
		}

	}

	static class SecondJobs {

		@Job(name = "send")
		void post() {
		}

	}

	static class StrayJobs {

		@Idempotent
		void send() {
		}

	}

	record Mail(String address, String text) {

	}

	static class KeyJobs {

		@Job
		@Idempotent(key = "#mail.adress")
		void send(Mail mail) {
		}

	}

	static class SameBean {

		@Job
		void send() {
		}

		@Job
		void post() {
		}

	}

	static class MourningJobs {

		@Job
		void send(int number) {
		}

		@RetriesExhausted
		void exhausted(String text) {
		}

	}

	static class PrivateJobs {

		@Job
		private void send() {
		}

	}

	static class StaticJobs {

		@Job
		static void send() {
		}

	}

	static class OverloadedJobs {

		@Job
		void send(int number) {
		}

		@Job
		void send(String text) {
		}

	}

	static class FutureJobs {

		@Job
		CompletableFuture<Void> send() {
			return new CompletableFuture<>();
		}

	}

	static class ObjectJobs {

		@Job
		void send(Object anything) {
		}

	}

	@Configuration(proxyBeanMethods = false)
	static class ManyMistakes {

		@Bean
		PrivateJobs privateJobs() {
			return new PrivateJobs();
		}

		@Bean
		StaticJobs staticJobs() {
			return new StaticJobs();
		}

	}

	interface Sender {

	}

	static class Mailer implements Sender {

		@Job
		void send() {
		}

	}

	@Configuration(proxyBeanMethods = false)
	static class Proxied {

		@Bean
		Mailer mailer() {
			return new Mailer();
		}

		@Bean
		static BeanPostProcessor proxies() {
			return new BeanPostProcessor() {

				@Override
				public Object postProcessAfterInitialization(Object bean, String beanName) {
					return (bean instanceof Mailer) ? new ProxyFactory(bean).getProxy() : bean;
				}

			};
		}

	}

}
