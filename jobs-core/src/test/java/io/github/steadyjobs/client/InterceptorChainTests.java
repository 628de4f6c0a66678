package io.github.steadyjobs.client;

import java.util.ArrayList;
import java.util.List;

import io.github.steadyjobs.ClientInterceptor;
import io.github.steadyjobs.EnqueueResult;
import io.github.steadyjobs.EnqueueResult.Enqueued;
import io.github.steadyjobs.EnqueueResult.Stopped;
import io.github.steadyjobs.JobRequest;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

/**
 * Tests for {@link InterceptorChain}.
 */
class InterceptorChainTests {

	private static final String ID = "0198000000ff0123456789ab";

	private static final Enqueued ENQUEUED = new Enqueued(ID);

	private static final JobRequest REQUEST = JobRequest.named("mail.welcome");

	private final List<JobRequest> passed = new ArrayList<>();

	@Test
	void proceedWhenInterceptorsProceedPassesWhatTheyMade() {
		EnqueueResult result = proceed((request, chain) -> chain.proceed(request.meta("a", "1")),
				(request, chain) -> chain.proceed(request.meta("b", chain.id())));
		assertThat(result).isEqualTo(ENQUEUED);
		assertThat(this.passed).singleElement()
			.extracting((request) -> request.options().meta().toString())
			.isEqualTo("{a=1, b=" + ID + "}");
	}

	@Test
	void proceedWhenInterceptorStopsCallsNobodyBehind() {
		EnqueueResult result = proceed((request, chain) -> chain.proceed(request), (request, chain) -> chain.stop(),
				(request, chain) -> {
					throw new AssertionError("called");
				});
		assertThat(result).isEqualTo(new Stopped(ID));
		assertThat(this.passed).isEmpty();
	}

	@Test
	void proceedWhenInterceptorProceedsTwiceThrows() {
		assertThatIllegalStateException().isThrownBy(() -> proceed((request, chain) -> {
			chain.proceed(request);
			return chain.proceed(request);
		})).withMessageContaining(ID).withMessageContaining("once");
		assertThat(this.passed).hasSize(1);
	}

	@Test
	void proceedWhenInterceptorReturnsNullThrows() {
		assertThatIllegalStateException().isThrownBy(() -> proceed((request, chain) -> null))
			.withMessageContaining("InterceptorChainTests")
			.withMessageContaining("returned null for job " + ID);
	}

	@Test
	void proceedWhenInterceptorDeniesWhatHappenedThrows() {
		assertThatIllegalStateException().isThrownBy(() -> proceed((request, chain) -> {
			chain.proceed(request);
			return chain.stop();
		})).withMessageContaining("should have been Enqueued");
	}

	@Test
	void proceedWhenInterceptorInventsResultThrows() {
		assertThatIllegalStateException().isThrownBy(() -> proceed((request, chain) -> ENQUEUED))
			.withMessageContaining("should have been Stopped");
	}

	@Test
	void proceedWhenRestFailsLetsInterceptorStop() {
		EnqueueResult result = proceed((request, chain) -> {
			assertThatIllegalArgumentException().isThrownBy(() -> chain.proceed(request));
			return chain.stop();
		}, (request, chain) -> {
			throw new IllegalArgumentException("no");
		});
		assertThat(result).isEqualTo(new Stopped(ID));
	}

	private EnqueueResult proceed(ClientInterceptor... interceptors) {
		return new InterceptorChain(ID, List.of(interceptors), (request) -> {
			this.passed.add(request);
			return ENQUEUED;
		}).proceed(REQUEST);
	}

}
