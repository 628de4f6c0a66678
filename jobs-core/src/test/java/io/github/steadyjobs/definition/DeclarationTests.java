package io.github.steadyjobs.definition;

import java.lang.annotation.Inherited;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.reflect.Method;
import java.time.Duration;

import io.github.steadyjobs.Idempotence;
import io.github.steadyjobs.Idempotent;
import io.github.steadyjobs.Idempotent.Strategy;
import io.github.steadyjobs.Job;
import io.github.steadyjobs.JobType;
import io.github.steadyjobs.NotIdempotent;
import io.github.steadyjobs.definition.JobDefinition.Declaration;
import org.aopalliance.intercept.MethodInterceptor;
import org.aopalliance.intercept.MethodInvocation;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

import org.springframework.aop.framework.autoproxy.BeanNameAutoProxyCreator;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.annotation.AliasFor;
import org.springframework.util.ReflectionUtils;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link Declaration}: where a job may declare whether it is idempotent
 * (GL-08).
 */
class DeclarationTests {

	@Test
	@DisplayName("GL-08: a job carries its own declaration")
	void declarationWhenMethodHasItIsThat() {
		try (JobsContext context = JobsContext.of(OnMethods.class)) {
			assertThat(context.job("OnMethods.yes").declaration()).isEqualTo(Declaration.IDEMPOTENT);
			assertThat(context.job("OnMethods.yes").idempotence()).isNotNull();
			assertThat(context.job("OnMethods.no").declaration()).isEqualTo(Declaration.NOT_IDEMPOTENT);
			assertThat(context.job("OnMethods.no").idempotence()).isNull();
			assertThat(context.job("OnMethods.nothing").declaration()).isEqualTo(Declaration.UNDECLARED);
			assertThat(context.job("OnMethods.nothing").idempotence()).isNull();
		}
	}

	@Test
	@DisplayName("GL-08: the declaration of a class applies to all of its jobs without their own declaration")
	void declarationWhenClassHasItCountsForJobsThatSayNothing() {
		try (JobsContext context = JobsContext.of(OnClass.class, Perform.class)) {
			assertThat(context.job("OnClass.send").declaration()).isEqualTo(Declaration.IDEMPOTENT);
			assertThat(context.job("OnClass.post").declaration()).isEqualTo(Declaration.NOT_IDEMPOTENT);
			assertThat(context.job("Perform").declaration()).isEqualTo(Declaration.IDEMPOTENT);
		}
	}

	@Test
	@DisplayName("GL-08: only the class of the job counts, not a superclass from which its code is inherited")
	void declarationWhenOnlyWhatIsAboveTheClassHasItIsUndeclared() {
		try (JobsContext context = JobsContext.of(BelowClass.class, BelowInterface.class, BelowInherited.class)) {
			assertThat(context.registry().definitions()).hasSize(3)
				.allSatisfy((job) -> assertThat(job.declaration()).isEqualTo(Declaration.UNDECLARED));
		}
	}

	@Test
	void declarationWhenClassBelowHasItIsThatOfTheClassBelow() {
		try (JobsContext context = JobsContext.of(OtherBelowClass.class)) {
			assertThat(context.job("OtherBelowClass.send").declaration()).isEqualTo(Declaration.NOT_IDEMPOTENT);
		}
	}

	@Test
	void declarationWhenMethodIsInheritedIsThatOfTheMethod() {
		try (JobsContext context = JobsContext.of(BelowMethods.class)) {
			assertThat(context.job("BelowMethods.yes").declaration()).isEqualTo(Declaration.IDEMPOTENT);
			assertThat(context.job("BelowMethods.no").declaration()).isEqualTo(Declaration.NOT_IDEMPOTENT);
		}
	}

	@Test
	void declarationWhenMethodIsOverriddenIsFoundAsTheJobIs() {
		try (JobsContext context = JobsContext.of(Overriding.class, Implementing.class)) {
			assertThat(context.job("Overriding.yes").declaration()).isEqualTo(Declaration.IDEMPOTENT);
			assertThat(context.job("Implementing.work").declaration()).isEqualTo(Declaration.IDEMPOTENT);
		}
	}

	@Test
	void declarationWhenOverridingMethodHasAnotherIsThatOfTheOverridingOne() {
		try (JobsContext context = JobsContext.of(Overriding.class)) {
			assertThat(context.job("Overriding.no").declaration()).isEqualTo(Declaration.IDEMPOTENT);
			assertThat(context.job("Overriding.meta").declaration()).isEqualTo(Declaration.NOT_IDEMPOTENT);
		}
	}

	@Test
	void declarationWhenAnnotationIsMetaMergesAttributes() {
		try (JobsContext context = JobsContext.of(Meta.class)) {
			assertThat(context.job("Meta.one").idempotence())
				.isEqualTo(Idempotence.untilExecuted().ttl(Duration.ofMinutes(5)));
			assertThat(context.job("Meta.two").idempotence())
				.isEqualTo(Idempotence.untilExecuted().ttl(Duration.ofHours(1)));
		}
	}

	@Test
	void declarationWhenBeanHasAProxyIsThatOfItsClass() {
		try (JobsContext context = JobsContext.of(ByClass.class)) {
			assertThat(context.bean(OnClass.class).getClass()).isNotEqualTo(OnClass.class);
			assertThat(context.job("OnClass.send").declaration()).isEqualTo(Declaration.IDEMPOTENT);
		}
		try (JobsContext context = JobsContext.of(ByInterface.class)) {
			assertThat(context.bean(PlainWork.class)).isNotInstanceOf(DeclaredWork.class);
			assertThat(context.job("DeclaredWork.work").declaration()).isEqualTo(Declaration.IDEMPOTENT);
		}
	}

	@Test
	void declarationWhenTypeOfTheBeanIsKnownOnlyFromTheInstanceIsThatOfTheInstance() {
		try (JobsContext context = JobsContext.of(DeclaredAsInterface.class)) {
			assertThat(context.job("DeclaredWork.work").declaration()).isEqualTo(Declaration.IDEMPOTENT);
		}
	}

	@Test
	void declarationWhenClassHasNoBeanIsReadFromTheClass() {
		try (JobsContext context = JobsContext.of(Meta.class)) {
			Method method = ReflectionUtils.findMethod(OnClass.class, "send");
			assertThat(method).isNotNull();
			JobDefinition job = context.registry().forCall(OnClass.class, method);
			assertThat(job.hasBean()).isFalse();
			assertThat(job.idempotence()).isEqualTo(new Idempotence(Strategy.UNTIL_EXECUTING, Duration.ofHours(6), null,
					Idempotent.IfDuplicate.DROP, false, false));
		}
	}

	@Test
	void declarationWhenBeanIsElsewhereIsUndeclared() {
		try (JobsContext context = JobsContext.of(Meta.class)) {
			JobDefinition job = context.registry().forArgument(Elsewhere.class);
			assertThat(job.declaration()).isEqualTo(Declaration.UNDECLARED);
			assertThat(job.idempotence()).isNull();
			assertThat(job.customStrategy()).isNull();
		}
	}

	static class OnMethods {

		@Job
		@Idempotent
		void yes() {
		}

		@Job
		@NotIdempotent("counts")
		void no() {
		}

		@Job
		void nothing() {
		}

		@Job
		@Idempotent
		void meta() {
		}

	}

	@Idempotent
	static class OnClass {

		@Job
		void send() {
		}

		@Job
		@NotIdempotent("counts")
		void post() {
		}

	}

	@Job
	@Idempotent
	static class Perform {

		public void perform() {
		}

	}

	static class BelowClass extends OnlyOnClass {

	}

	@NotIdempotent("counts")
	static class OtherBelowClass extends OnlyOnClass {

	}

	@Idempotent
	static class OnlyOnClass {

		@Job
		void send() {
		}

	}

	@Idempotent
	interface OnlyOnInterface {

		@Job
		void send();

	}

	static class BelowInterface implements OnlyOnInterface {

		@Override
		public void send() {
		}

	}

	@Idempotent
	@Inherited
	@Retention(RetentionPolicy.RUNTIME)
	@interface InheritedMeta {

	}

	@InheritedMeta
	static class OnlyInherited {

		@Job
		void send() {
		}

	}

	static class BelowInherited extends OnlyInherited {

	}

	static class BelowMethods extends OnMethods {

	}

	static class Overriding extends OnMethods {

		@Override
		void yes() {
		}

		@Override
		@Idempotent
		void no() {
		}

		@Override
		@Counting
		void meta() {
		}

	}

	@NotIdempotent("counts")
	@Retention(RetentionPolicy.RUNTIME)
	@interface Counting {

	}

	interface Work {

		@Job
		@Idempotent
		void work();

	}

	static class Implementing implements Work {

		@Override
		public void work() {
		}

	}

	@Idempotent(strategy = Strategy.UNTIL_EXECUTED)
	@Retention(RetentionPolicy.RUNTIME)
	@interface Exclusive {

		@AliasFor(annotation = Idempotent.class, attribute = "ttl")
		String value() default "5m";

	}

	static class Meta {

		@Job
		@Exclusive
		void one() {
		}

		@Job
		@Exclusive("1h")
		void two() {
		}

	}

	@JobType("else.where")
	record Elsewhere(int id) {

	}

	@Configuration(proxyBeanMethods = false)
	static class ByClass {

		@Bean
		OnClass onClass() {
			return new OnClass();
		}

		@Bean
		static BeanNameAutoProxyCreator proxies() {
			return proxiesOf("onClass", true);
		}

		@Bean
		static MethodInterceptor passing() {
			return MethodInvocation::proceed;
		}

	}

	@Idempotent
	static class DeclaredWork implements PlainWork {

		@Override
		public void work() {
		}

	}

	interface PlainWork {

		@Job
		void work();

	}

	@Configuration(proxyBeanMethods = false)
	static class ByInterface {

		@Bean
		DeclaredWork declaredWork() {
			return new DeclaredWork();
		}

		@Bean
		static BeanNameAutoProxyCreator proxies() {
			return proxiesOf("declaredWork", false);
		}

		@Bean
		static MethodInterceptor passing() {
			return MethodInvocation::proceed;
		}

	}

	@Configuration(proxyBeanMethods = false)
	static class DeclaredAsInterface {

		@Bean
		PlainWork work() {
			return new DeclaredWork();
		}

	}

	private static BeanNameAutoProxyCreator proxiesOf(String bean, boolean targetClass) {
		BeanNameAutoProxyCreator creator = new BeanNameAutoProxyCreator();
		creator.setBeanNames(bean);
		creator.setProxyTargetClass(targetClass);
		creator.setInterceptorNames("passing");
		return creator;
	}

}
