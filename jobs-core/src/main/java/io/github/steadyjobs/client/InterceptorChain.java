package io.github.steadyjobs.client;

import java.util.List;
import java.util.function.Function;

import io.github.steadyjobs.ClientInterceptor;
import io.github.steadyjobs.EnqueueResult;
import io.github.steadyjobs.JobRequest;
import org.jspecify.annotations.Nullable;

import org.springframework.util.Assert;

/** Passes one request through the interceptors. Not thread safe. */
final class InterceptorChain {

	private final EnqueueResult.Stopped stopped;

	private final List<ClientInterceptor> interceptors;

	private final Function<JobRequest, EnqueueResult> last;

	private @Nullable EnqueueResult passed;

	/**
	 * Create a chain.
	 * @param id the id of the job
	 * @param last called when the last interceptor proceeds
	 */
	InterceptorChain(String id, List<ClientInterceptor> interceptors, Function<JobRequest, EnqueueResult> last) {
		this.stopped = new EnqueueResult.Stopped(id);
		this.interceptors = interceptors;
		this.last = last;
	}

	EnqueueResult proceed(JobRequest request) {
		return new Link(0).proceed(request);
	}

	private EnqueueResult call(ClientInterceptor interceptor, JobRequest request, Link rest) {
		EnqueueResult result = interceptor.intercept(request, rest);
		// After the job has passed the whole chain, it can no longer be reported as
		// stopped.
		EnqueueResult expected = (this.passed != null) ? this.passed : this.stopped;
		Assert.state(expected.equals(result),
				() -> "Interceptor %s returned %s for job %s, which should have been %s: return what the chain returns, or chain.stop() instead of proceeding"
					.formatted(interceptor.getClass().getName(), result, this.stopped.id(), expected));
		return result;
	}

	/** The rest of the chain, starting at one interceptor. */
	private final class Link implements ClientInterceptor.Chain {

		private final int index;

		private boolean used;

		Link(int index) {
			this.index = index;
		}

		@Override
		public EnqueueResult proceed(JobRequest request) {
			Assert.notNull(request,
					"'request' must not be null; proceed with the one that was passed, or one made of it");
			Assert.state(!this.used,
					() -> "The chain of job %s was called before; an interceptor may proceed once".formatted(id()));
			this.used = true;
			InterceptorChain chain = InterceptorChain.this;
			if (this.index < chain.interceptors.size()) {
				return call(chain.interceptors.get(this.index), request, new Link(this.index + 1));
			}
			EnqueueResult result = chain.last.apply(request);
			chain.passed = result;
			return result;
		}

		@Override
		public EnqueueResult stop() {
			return InterceptorChain.this.stopped;
		}

		@Override
		public String id() {
			return InterceptorChain.this.stopped.id();
		}

	}

}
