package io.github.steadyjobs.definition;

import io.github.steadyjobs.Job;
import org.aopalliance.intercept.MethodInterceptor;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

import org.springframework.aop.framework.autoproxy.BeanNameAutoProxyCreator;
import org.springframework.beans.factory.config.ConfigurableBeanFactory;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Scope;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * Tests for {@link BeanCall}: jobs are called through the proxy of their bean, as
 * transactions and aspects require.
 */
class BeanCallTests {

	@Test
	@DisplayName("GL-02: jobs are called through the proxy of their bean, so transactions apply")
	void invokeWhenBeanHasClassProxyCallsThroughIt() throws Exception {
		try (JobsContext context = JobsContext.of(ClassProxies.class)) {
			context.run("PlainJobs.run", "[]");
			assertThat(context.bean(Calls.class).all()).containsExactly("before", "plain");
		}
	}

	@Test
	void invokeWhenBeanHasInterfaceProxyCallsThroughIt() throws Exception {
		try (JobsContext context = JobsContext.of(InterfaceBeans.class)) {
			context.run("GenericJobs.run", "[\"x\"]");
			assertThat(context.bean(Calls.class).all()).containsExactly("before", "x");
		}
	}

	@Test
	void invokeWhenPrototypeHasInterfaceProxyWithoutMethodSaysWhatToDo() {
		try (JobsContext context = JobsContext.of(LateProxy.class)) {
			assertThatExceptionOfType(JobDefinitionException.class)
				.isThrownBy(() -> context.run("OtherJobs.work", "[]"))
				.withMessageContaining("is a JDK proxy that does not have the method")
				.withMessageContaining("spring.aop.proxy-target-class=true");
		}
	}

	@Test
	void collectWhenInterfaceProxyLacksMethodSaysWhatToDo() {
		assertThat(JobsContext.problemsOf(EarlyProxy.class)).singleElement().satisfies((problem) -> {
			assertThat(problem.description()).contains("OtherJobs.work",
					"bean 'otherJobs' is a JDK proxy that does not");
			assertThat(problem.action()).contains("interface of the bean", "spring.aop.proxy-target-class=true");
		});
	}

	@Test
	void collectWhenClassProxyCannotOverrideMethodSaysWhatToDo() {
		assertThat(JobsContext.problemsOf(FinalMethod.class)).singleElement().satisfies((problem) -> {
			assertThat(problem.description()).contains("FinalJobs.work", "final");
			assertThat(problem.action()).isEqualTo("Remove 'final'.");
		});
	}

	/**
	 * The common part of all configurations: advice that records calls. Subclasses choose
	 * the kind of proxy.
	 */
	static class Advised {

		@Bean
		static Calls calls() {
			return new Calls();
		}

		@Bean
		static MethodInterceptor advice(Calls calls) {
			return noting(calls);
		}

	}

	static class ProxiedByClass extends Advised {

		@Bean
		static BeanNameAutoProxyCreator proxies() {
			return proxyCreator(true);
		}

	}

	static class ProxiedByInterface extends Advised {

		@Bean
		static BeanNameAutoProxyCreator proxies() {
			return proxyCreator(false);
		}

	}

	@Configuration
	static class ClassProxies extends ProxiedByClass {

		@Bean
		PlainJobs plainJobs(Calls calls) {
			return new PlainJobs(calls);
		}

	}

	@Configuration
	static class InterfaceBeans extends ProxiedByInterface {

		@Bean
		GenericJobs genericJobs(Calls calls) {
			return new GenericJobs(calls);
		}

	}

	@Configuration
	static class LateProxy extends ProxiedByInterface {

		@Bean
		@Scope(ConfigurableBeanFactory.SCOPE_PROTOTYPE)
		OtherJobs otherJobs() {
			return new OtherJobs();
		}

	}

	@Configuration
	static class EarlyProxy extends ProxiedByInterface {

		@Bean
		OtherJobs otherJobs() {
			return new OtherJobs();
		}

	}

	@Configuration
	static class FinalMethod extends ProxiedByClass {

		@Bean
		FinalJobs finalJobs() {
			return new FinalJobs();
		}

	}

	private static BeanNameAutoProxyCreator proxyCreator(boolean ofClasses) {
		BeanNameAutoProxyCreator creator = new BeanNameAutoProxyCreator();
		creator.setBeanNames("*Jobs");
		creator.setInterceptorNames("advice");
		creator.setProxyTargetClass(ofClasses);
		return creator;
	}

	private static MethodInterceptor noting(Calls calls) {
		return (invocation) -> {
			calls.add("before");
			return invocation.proceed();
		};
	}

	static class PlainJobs {

		private final Calls calls;

		PlainJobs(Calls calls) {
			this.calls = calls;
		}

		@Job
		void run() {
			this.calls.add("plain");
		}

	}

	static class OtherJobs implements Runnable {

		@Override
		public void run() {
		}

		@Job
		void work() {
		}

	}

	static class FinalJobs {

		@Job
		final void work() {
		}

	}

	interface Generic<T> {

		void run(T value);

	}

	record GenericJobs(Calls calls) implements Generic<String> {

		@Override
		@Job
		public void run(String value) {
			this.calls.add(value);
		}

	}

}
