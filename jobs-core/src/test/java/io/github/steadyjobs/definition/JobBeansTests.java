package io.github.steadyjobs.definition;

import io.github.steadyjobs.Job;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

import org.springframework.beans.factory.FactoryBean;
import org.springframework.beans.factory.config.ConfigurableBeanFactory;
import org.springframework.beans.factory.support.DefaultListableBeanFactory;
import org.springframework.beans.factory.support.RootBeanDefinition;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Lazy;
import org.springframework.context.annotation.Scope;
import org.springframework.context.annotation.ScopedProxyMode;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link JobBeans} and {@link BeanCall} with beans that are declared in various
 * ways. {@link BeanCallTests} covers beans with advice.
 */
class JobBeansTests {

	@Test
	@DisplayName("LK-31: all jobs are known from the start")
	void collectWhenBeanIsLazyDoesNotCreateIt() throws Exception {
		try (JobsContext context = JobsContext.of(Beans.class)) {
			assertThat(context.registry().names()).contains("LazyJobs.run");
			assertThat(context.context().getBeanFactory().containsSingleton("lazyJobs")).isFalse();
			context.run("LazyJobs.run", "[]");
			assertThat(context.bean(Calls.class).all()).containsExactly("lazy");
		}
	}

	/**
	 * SK-42: each run gets a new instance if the bean is a prototype.
	 */
	@Test
	void invokeWhenBeanIsPrototypeCallsNewInstanceEachTime() throws Exception {
		try (JobsContext context = JobsContext.of(Beans.class)) {
			context.run("PrototypeJobs.run", "[]");
			context.run("PrototypeJobs.run", "[]");
			assertThat(context.bean(Calls.class).all()).hasSize(2).doesNotHaveDuplicates();
		}
	}

	@Test
	void invokeWhenBeanIsSingletonCallsOneInstance() throws Exception {
		try (JobsContext context = JobsContext.of(Beans.class)) {
			context.run("SingletonJobs.run", "[]");
			context.run("SingletonJobs.run", "[]");
			assertThat(context.bean(Calls.class).all()).containsOnly(context.bean(SingletonJobs.class)).hasSize(2);
		}
	}

	@Test
	void collectWhenBeanHasScopedProxyFindsItOnce() throws Exception {
		try (JobsContext context = JobsContext.of(Beans.class)) {
			assertThat(context.registry().definitions()).filteredOn((job) -> job.name().equals("ScopedJobs.run"))
				.hasSize(1);
			context.run("ScopedJobs.run", "[]");
			assertThat(context.bean(Calls.class).all()).containsExactly("scoped");
		}
	}

	@Test
	void collectWhenFactoryBeanMakesJobsFindsThem() throws Exception {
		try (JobsContext context = JobsContext.of(Beans.class)) {
			context.run("MadeJobs.run", "[]");
			assertThat(context.bean(Calls.class).all()).containsExactly("made");
		}
	}

	@Test
	void findWhenFactoryBeanDoesNotDeclareWhatItMakesDoesNotCreateIt() {
		Calls calls = new Calls();
		DefaultListableBeanFactory beanFactory = new DefaultListableBeanFactory();
		beanFactory.registerBeanDefinition("factory", new RootBeanDefinition(FactoryBean.class, () -> {
			calls.add("factory");
			return new MadeJobsFactory(calls);
		}));
		assertThat(new JobBeans(beanFactory).find("factory")).isNull();
		assertThat(calls.all()).isEmpty();
	}

	@Test
	void collectWhenBeanIsDeclaredByInterfaceFindsItsClass() throws Exception {
		try (JobsContext context = JobsContext.of(Beans.class)) {
			context.run("HiddenJobs.run", "[]");
			assertThat(context.bean(Calls.class).all()).containsExactly("hidden");
		}
	}

	@Test
	void collectWhenThisLibraryDeclaresABeanDoesNotExamineIt() {
		try (JobsContext context = JobsContext.of(Calls.class, ToyAutoConfiguration.class)) {
			assertThat(context.bean(ToyAutoConfiguration.Toy.class)).isNotNull();
			assertThat(context.registry().names()).isEmpty();
		}
	}

	@Test
	void collectWhenSingletonIsRegisteredAsItIsFindsIt() throws Exception {
		try (JobsContext context = JobsContext.of(Calls.class)) {
			context.context().getBeanFactory().registerSingleton("late", new SingletonJobs(context.bean(Calls.class)));
			context.registry().afterSingletonsInstantiated();
			context.run("SingletonJobs.run", "[]");
			assertThat(context.bean(Calls.class).all()).hasSize(1);
		}
	}

	@Configuration
	static class Beans {

		@Bean
		Calls calls() {
			return new Calls();
		}

		@Bean
		@Lazy
		LazyJobs lazyJobs(Calls calls) {
			return new LazyJobs(calls);
		}

		@Bean
		static SingletonJobs singletonJobs(Calls calls) {
			return new SingletonJobs(calls);
		}

		@Bean
		@Scope(ConfigurableBeanFactory.SCOPE_PROTOTYPE)
		PrototypeJobs prototypeJobs(Calls calls) {
			return new PrototypeJobs(calls);
		}

		@Bean
		@Scope(scopeName = ConfigurableBeanFactory.SCOPE_PROTOTYPE, proxyMode = ScopedProxyMode.TARGET_CLASS)
		ScopedJobs scopedJobs(Calls calls) {
			return new ScopedJobs(calls);
		}

		@Bean
		MadeJobsFactory madeJobs(Calls calls) {
			return new MadeJobsFactory(calls);
		}

		@Bean
		Runnable hiddenJobs(Calls calls) {
			return new HiddenJobs(calls);
		}

	}

	record LazyJobs(Calls calls) {

		@Job
		void run() {
			this.calls.add("lazy");
		}

	}

	static class SingletonJobs {

		private final Calls calls;

		SingletonJobs(Calls calls) {
			this.calls = calls;
		}

		@Job
		void run() {
			this.calls.add(this);
		}

	}

	static class PrototypeJobs {

		private final Calls calls;

		PrototypeJobs(Calls calls) {
			this.calls = calls;
		}

		@Job
		protected void run() {
			this.calls.add(this);
		}

	}

	static class ScopedJobs {

		private final Calls calls;

		ScopedJobs(Calls calls) {
			this.calls = calls;
		}

		@Job
		void run() {
			this.calls.add("scoped");
		}

	}

	record MadeJobs(Calls calls) {

		@Job
		void run() {
			this.calls.add("made");
		}

	}

	record MadeJobsFactory(Calls calls) implements FactoryBean<MadeJobs> {

		@Override
		public MadeJobs getObject() {
			return new MadeJobs(this.calls);
		}

		@Override
		public Class<?> getObjectType() {
			return MadeJobs.class;
		}

	}

	record HiddenJobs(Calls calls) implements Runnable {

		@Override
		@Job
		public void run() {
			this.calls.add("hidden");
		}

	}

}
