package io.github.steadyjobs.server;

import java.lang.reflect.Proxy;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentSkipListSet;
import java.util.concurrent.ThreadFactory;

import io.github.steadyjobs.JobListener;
import io.github.steadyjobs.JobPayload;
import io.github.steadyjobs.definition.IdempotenceDefaults;
import io.github.steadyjobs.definition.JobRegistry;
import io.github.steadyjobs.observation.JobRunMetrics;
import io.github.steadyjobs.redis.PayloadCodec;
import io.github.steadyjobs.server.Outcome.Failure;
import io.github.steadyjobs.server.Outcome.Failure.Kind;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.mockito.Mockito;

import org.springframework.aop.framework.ProxyFactory;
import org.springframework.beans.factory.support.DefaultListableBeanFactory;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests that {@link Hooks} calls the right listeners on the right thread.
 */
class HooksTests {

	private static final PayloadCodec CODEC = new PayloadCodec(WorkerFixture.JSON);

	private static final Throwable FAILURE = new IllegalStateException("broken");

	private static final Set<String> TOLD = new ConcurrentSkipListSet<>();

	private final List<Thread> threads = new ArrayList<>();

	@ParameterizedTest
	@EnumSource(Kind.class)
	void tellWhenNoListenerHearsOfFailuresGoesOnAtOnce(Kind kind) {
		assertThat(tell(kind, new JobRunMetrics(new SimpleMeterRegistry()))).isSameAs(Thread.currentThread());
		assertThat(this.threads).isEmpty();
	}

	@Test
	void tellWhenListenerHearsOnlyOfDeathsCallsItForThose() {
		assertThat(tell(Kind.ATTEMPT, new OfDeaths())).isSameAs(Thread.currentThread());
		assertThat(told(Kind.EXHAUSTED, new OfDeaths())).containsExactly("died");
		assertThat(told(Kind.CUT_SHORT, new OfDeaths())).containsExactly("died");
	}

	@Test
	void tellWhenListenerHearsOnlyOfFailuresCallsItForThose() {
		assertThat(told(Kind.ATTEMPT, new OfFailures())).containsExactly("failed");
		assertThat(told(Kind.EXHAUSTED, new OfFailures())).containsExactly("failed");
		assertThat(tell(Kind.CUT_SHORT, new OfFailures())).isSameAs(Thread.currentThread());
	}

	@Test
	void tellWhenListenerInheritsItsMethodsCallsIt() {
		assertThat(told(Kind.EXHAUSTED, new OfFailures() {
		})).containsExactly("failed");
		assertThat(told(Kind.EXHAUSTED, new Reporting() {
		})).containsExactly("failed");
	}

	@Test
	void tellWhenListenerIsAProxyCallsIt() {
		ProxyFactory subclass = new ProxyFactory(new OfFailures());
		subclass.setProxyTargetClass(true);
		assertThat(told(Kind.EXHAUSTED, (JobListener) subclass.getProxy())).containsExactly("failed");
		JobListener proxy = (JobListener) Proxy.newProxyInstance(getClass().getClassLoader(),
				new Class<?>[] { JobListener.class },
				(self, method, arguments) -> TOLD.add(method.getName()) ? null : null);
		assertThat(told(Kind.EXHAUSTED, proxy)).containsExactly("died", "failed");
	}

	@Test
	void tellWhenListenerIsAMockCallsIt() throws Exception {
		JobListener mock = Mockito.mock(JobListener.class);
		told(Kind.EXHAUSTED, mock);
		Mockito.verify(mock).failed(Mockito.any(), Mockito.same(FAILURE));
		Mockito.verify(mock).died(Mockito.any(), Mockito.same(FAILURE));
	}

	private Set<String> told(Kind kind, JobListener listener) {
		TOLD.clear();
		assertThat(tell(kind, listener).getName()).isEqualTo("jobs-hooks");
		return new TreeSet<>(TOLD);
	}

	/**
	 * Notify a listener of a failure, and return the thread that continues afterwards.
	 */
	private Thread tell(Kind kind, JobListener listener) {
		ThreadFactory factory = (task) -> {
			Thread thread = new Thread(task);
			this.threads.add(thread);
			return thread;
		};
		JobExecution execution = new JobExecution(
				new JobRegistry(new DefaultListableBeanFactory(), Map.of(), IdempotenceDefaults.STANDARD,
						WorkerFixture.JSON),
				CODEC, List.of(), List.of(), (count, job, failure) -> null, List.of(listener), List.of());
		Hooks hooks = new Hooks(execution, factory);
		JobPayload job = CODEC.read("{\"jid\":\"a\",\"class\":\"test.job\",\"args\":[]}".getBytes());
		CompletableFuture<Thread> then = new CompletableFuture<>();
		try {
			hooks.tell(List.of(new Failure(job, FAILURE, kind)), () -> then.complete(Thread.currentThread()));
			return then.join();
		}
		finally {
			hooks.stop();
		}
	}

	interface Reporting extends JobListener {

		@Override
		default void failed(@Nullable JobPayload job, Throwable failure) {
			TOLD.add("failed");
		}

	}

	static class OfFailures implements JobListener {

		@Override
		public void failed(@Nullable JobPayload job, Throwable failure) {
			TOLD.add("failed");
		}

	}

	static class OfDeaths implements JobListener {

		@Override
		public void died(JobPayload job, Throwable reason) {
			TOLD.add("died");
		}

	}

}
