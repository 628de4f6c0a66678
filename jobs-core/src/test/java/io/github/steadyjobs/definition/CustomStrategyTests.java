package io.github.steadyjobs.definition;

import io.github.steadyjobs.Idempotence;
import io.github.steadyjobs.IdempotenceStrategy;
import io.github.steadyjobs.Idempotent;
import io.github.steadyjobs.Job;
import io.github.steadyjobs.JobRequest;
import io.github.steadyjobs.definition.JobDefinition.Declaration;
import org.aopalliance.intercept.MethodInterceptor;
import org.aopalliance.intercept.MethodInvocation;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

import org.springframework.aop.framework.autoproxy.BeanNameAutoProxyCreator;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Lazy;
import org.springframework.context.annotation.Primary;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link CustomStrategies}: strategies that an application defines (GL-10).
 */
class CustomStrategyTests {

	@Test
	@DisplayName("GL-10: an application may define its own strategies")
	void customStrategyWhenThereIsABeanIsTheBean() {
		try (JobsContext context = JobsContext.of(Jobs.class, Own.class)) {
			assertThat(context.job("Jobs.run").customStrategy()).isSameAs(context.bean(Own.class));
			assertThat(context.job("Jobs.run").declaration()).isEqualTo(Declaration.IDEMPOTENT);
			assertThat(context.job("Jobs.run").idempotence()).isNotNull();
		}
	}

	@Test
	void customStrategyWhenThereIsNoBeanIsOneInstance() {
		try (JobsContext context = JobsContext.of(Jobs.class, OtherJobs.class)) {
			IdempotenceStrategy strategy = context.job("Jobs.run").customStrategy();
			assertThat(strategy).isInstanceOf(Own.class)
				.isSameAs(context.job("Jobs.run").customStrategy())
				.isSameAs(context.job("OtherJobs.run").customStrategy());
		}
	}

	@Test
	void customStrategyWhenBeanIsLazyIsNotCreatedBeforeItIsWanted() {
		try (JobsContext context = JobsContext.of(NeedyJobs.class, LazyNeedy.class)) {
			assertThat(context.context().getBeanFactory().containsSingleton("needy")).isFalse();
			assertThat(context.job("NeedyJobs.run").customStrategy()).isInstanceOf(Needy.class);
		}
	}

	@Test
	void customStrategyWhenBeanHasAProxyOfItsInterfaceIsTheProxy() {
		try (JobsContext context = JobsContext.of(Jobs.class, Proxied.class)) {
			assertThat(context.job("Jobs.run").customStrategy()).isNotInstanceOf(Own.class)
				.isSameAs(context.context().getBean("own"));
		}
	}

	@Test
	void customStrategyWhenThereAreSeveralBeansIsThePrimaryOne() {
		try (JobsContext context = JobsContext.of(Jobs.class, OnePrimary.class)) {
			assertThat(context.job("Jobs.run").customStrategy()).isSameAs(context.context().getBean("second"));
		}
	}

	@Test
	void customStrategyWhenThereAreSeveralBeansIsRefused() {
		assertThat(JobsContext.problemsOf(Jobs.class, Two.class)).singleElement().satisfies((problem) -> {
			assertThat(problem.description()).endsWith(
					"has the custom strategy %s, but several beans are of that class: ".formatted(Own.class.getName())
							+ "'first', 'second'.");
			assertThat(problem.action()).contains("@Primary");
		});
	}

	@Test
	void customStrategyWhenItCannotBeMadeIsRefused() {
		assertThat(JobsContext.problemsOf(NeedyJobs.class)).singleElement().satisfies((problem) -> {
			assertThat(problem.description()).startsWith("Job 'NeedyJobs.run' (")
				.contains("has the custom strategy %s, which is not a bean and cannot be created: "
					.formatted(Needy.class.getName()));
			assertThat(problem.action())
				.isEqualTo("Make it a bean, or give it a constructor without parameters that works.");
		});
		assertThat(JobsContext.problemsOf(FailingJobs.class)).singleElement()
			.satisfies((problem) -> assertThat(problem.description()).endsWith("IllegalStateException: broken."));
	}

	static class Own implements IdempotenceStrategy {

		@Override
		public @Nullable Idempotence decide(JobRequest request, Idempotence declared) {
			return null;
		}

	}

	static class Needy extends Own {

		Needy(String needed) {
		}

	}

	static class Failing extends Own {

		Failing() {
			throw new IllegalStateException("broken");
		}

	}

	static class Jobs {

		@Job
		@Idempotent(custom = Own.class)
		void run() {
		}

	}

	static class OtherJobs {

		@Job
		@Idempotent(custom = Own.class)
		void run() {
		}

	}

	static class NeedyJobs {

		@Job
		@Idempotent(custom = Needy.class)
		void run() {
		}

	}

	static class FailingJobs {

		@Job
		@Idempotent(custom = Failing.class)
		void run() {
		}

	}

	@Configuration(proxyBeanMethods = false)
	static class LazyNeedy {

		@Bean
		@Lazy
		Needy needy() {
			return new Needy("here");
		}

	}

	@Configuration(proxyBeanMethods = false)
	static class Proxied {

		@Bean
		Own own() {
			return new Own();
		}

		@Bean
		static MethodInterceptor passing() {
			return MethodInvocation::proceed;
		}

		@Bean
		static BeanNameAutoProxyCreator proxies() {
			BeanNameAutoProxyCreator creator = new BeanNameAutoProxyCreator();
			creator.setBeanNames("own");
			creator.setInterceptorNames("passing");
			return creator;
		}

	}

	@Configuration(proxyBeanMethods = false)
	static class OnePrimary {

		@Bean
		Own first() {
			return new Own();
		}

		@Bean
		@Primary
		Own second() {
			return new Own();
		}

	}

	@Configuration(proxyBeanMethods = false)
	static class Two {

		@Bean
		Own first() {
			return new Own();
		}

		@Bean
		Own second() {
			return new Own();
		}

	}

}
