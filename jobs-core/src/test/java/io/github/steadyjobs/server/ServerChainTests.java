package io.github.steadyjobs.server;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

import io.github.steadyjobs.JobContext;
import io.github.steadyjobs.ServerInterceptor;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

/**
 * Tests for {@link ServerChain} (SK-45).
 */
class ServerChainTests {

	private final List<String> events = new ArrayList<>();

	private final JobContext job = JobContext.none();

	@Test
	void runWhenThereAreInterceptorsCallsTheFirstOutermost() throws Exception {
		assertThat(run(noting("a"), noting("b"))).isEqualTo(Outcome.DONE);
		assertThat(this.events).containsExactly("a", "b", "job", "/b", "/a");
	}

	@Test
	void runWhenThereAreNoneRunsTheJob() throws Exception {
		assertThat(run()).isEqualTo(Outcome.DONE);
		assertThat(this.events).containsExactly("job");
	}

	@Test
	void runWhenOneDoesNotProceedSkipsWhatIsInside() throws Exception {
		assertThat(run(noting("a"), (job, chain) -> this.events.add("stop"), noting("c"))).isEqualTo(Outcome.SKIPPED);
		assertThat(this.events).containsExactly("a", "stop", "/a");
	}

	@Test
	void runWhenOneProceedsTwiceRunsTheJobOnceAndFails() {
		assertThatIllegalStateException().isThrownBy(() -> run((job, chain) -> {
			chain.proceed();
			chain.proceed();
		})).withMessageContaining("proceeded more than once");
		assertThat(this.events).containsExactly("job");
	}

	@Test
	void runWhenInnerOneWasProceededWithTwiceFailsAsWell() {
		assertThatIllegalStateException().isThrownBy(() -> run((job, chain) -> {
			chain.proceed();
			chain.proceed();
		}, noting("b")));
		assertThat(this.events).containsExactly("b", "job", "/b");
	}

	@Test
	void runWhenJobThrowsPassesItThroughUnchanged() {
		IOException failure = new IOException();
		ServerChain chain = chain(noting("a"));
		assertThatExceptionOfType(IOException.class).isThrownBy(() -> chain.run(this.job, () -> {
			throw failure;
		}).start()).isSameAs(failure);
		assertThat(this.events).containsExactly("a", "/a");
	}

	@Test
	void runWhenInterceptorSwallowsWhatTheJobThrowsCountsAsRun() throws Exception {
		ServerChain chain = chain((job, inner) -> {
			try {
				inner.proceed();
			}
			catch (IOException ex) {
				this.events.add("swallowed");
			}
		});
		assertThat(chain.run(this.job, () -> {
			throw new IOException();
		}).start()).isEqualTo(Outcome.DONE);
		assertThat(this.events).containsExactly("swallowed");
	}

	@Test
	void runWhenCalledAgainBeginsAtTheFirstInterceptor() throws Exception {
		ServerChain chain = chain(noting("a"));
		chain.run(this.job, () -> this.events.add("1")).start();
		chain.run(this.job, () -> this.events.add("2")).start();
		assertThat(this.events).containsExactly("a", "1", "/a", "a", "2", "/a");
	}

	private static ServerChain chain(ServerInterceptor... interceptors) {
		return new ServerChain(List.of(interceptors), List.of());
	}

	private Outcome run(ServerInterceptor... interceptors) throws Exception {
		return chain(interceptors).run(this.job, () -> this.events.add("job")).start();
	}

	private ServerInterceptor noting(String name) {
		return (job, chain) -> {
			assertThat(job).isSameAs(this.job);
			this.events.add(name);
			try {
				chain.proceed();
			}
			finally {
				this.events.add("/" + name);
			}
		};
	}

}
