package io.github.steadyjobs.definition;

import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Flow;
import java.util.concurrent.Future;

import io.github.steadyjobs.Job;
import io.github.steadyjobs.JobContext;
import io.github.steadyjobs.definition.JobDefinitionException.Problem;
import kotlin.coroutines.Continuation;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import reactor.core.publisher.Mono;

import org.springframework.scheduling.annotation.Async;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link MethodRules}: methods that are refused at start-up, and the advice in
 * each message.
 */
class MethodRulesTests {

	@Test
	void collectWhenMethodIsPrivateRefuses() {
		assertProblem(PrivateMethod.class, "PrivateMethod.run is a @Job and private", "package-private or public");
	}

	@Test
	void collectWhenMethodIsStaticRefuses() {
		assertProblem(StaticMethod.class, "StaticMethod.run is a @Job and static", "Remove 'static'");
	}

	@Test
	void collectWhenMethodIsAsyncRefuses() {
		assertProblem(AsyncMethod.class, "AsyncMethod.run is a @Job and @Async", "Remove @Async");
	}

	@Test
	void collectWhenClassIsAsyncRefuses() {
		assertProblem(AsyncClass.class, "AsyncClass.run is a @Job and @Async", "Remove @Async");
	}

	@Test
	void collectWhenMethodReturnsBeforeWorkIsDoneRefuses() {
		List<Problem> problems = JobsContext.problemsOf(Early.class);
		assertThat(problems).extracting(Problem::description)
			.satisfiesExactly((flow) -> assertThat(flow).contains("Early.flow", "returns a java.util.concurrent.Flow"),
					(future) -> assertThat(future).contains("Early.future", "returns a java.util.concurrent.Future"),
					(mono) -> assertThat(mono).contains("Early.mono", "returns a reactor.core.publisher.Mono"),
					(stage) -> assertThat(stage).contains("Early.stage",
							"returns a java.util.concurrent.CompletableFuture"));
		assertThat(problems).extracting(Problem::action).allMatch((action) -> action.contains("join() or block()"));
	}

	@Test
	void collectWhenMethodSuspendsRefuses() {
		assertProblem(Suspending.class, "is a @Job and a suspending function", "runBlocking");
	}

	@Test
	void collectWhenMethodReturnsValueAcceptsIt() {
		try (JobsContext context = JobsContext.of(Returning.class)) {
			assertThat(context.registry().names()).containsExactly("Returning.run");
		}
	}

	@Test
	void collectWhenContextIsNotLastRefuses() {
		assertProblem(ContextFirst.class, "takes a JobContext that is not its last parameter",
				"Move the JobContext after the arguments");
	}

	private static void assertProblem(Class<?> bean, String description, String action) {
		assertThat(JobsContext.problemsOf(bean)).singleElement().satisfies((problem) -> {
			assertThat(problem.description()).contains(description);
			assertThat(problem.action()).contains(action);
		});
	}

	static class PrivateMethod {

		@Job
		private void run() {
		}

	}

	static class StaticMethod {

		@Job
		static void run() {
		}

	}

	static class AsyncMethod {

		@Job
		@Async
		void run() {
		}

	}

	@Async
	static class AsyncClass {

		@Job
		void run() {
		}

	}

	static class Early {

		@Job
		Flow.@Nullable Publisher<String> flow() {
			return null;
		}

		@Job
		@Nullable Future<String> future() {
			return null;
		}

		@Job
		@Nullable Mono<String> mono() {
			return null;
		}

		@Job
		@Nullable CompletableFuture<String> stage() {
			return null;
		}

	}

	static class Suspending {

		@Job
		@Nullable Object run(String value, Continuation<? super String> continuation) {
			return null;
		}

	}

	static class Returning {

		@Job
		String run() {
			return "";
		}

	}

	static class ContextFirst {

		@Job
		void run(JobContext context, String value) {
		}

	}

}
