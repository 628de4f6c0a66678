package io.github.steadyjobs.client;

import java.time.Clock;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;

import io.github.steadyjobs.ClientInterceptor;
import io.github.steadyjobs.EnqueueResult;
import io.github.steadyjobs.JobRequest;

import org.springframework.core.annotation.AnnotationAwareOrderComparator;

/**
 * Takes a request from the caller through the interceptors to a job that is ready to be
 * stored. Thread safe.
 */
final class Intake {

	private final JobIds ids = new JobIds();

	private final RequestResolver resolver;

	private final List<ClientInterceptor> interceptors;

	private final JobPreparer preparer;

	private final Clock clock;

	Intake(RequestResolver resolver, List<ClientInterceptor> interceptors, JobPreparer preparer, Clock clock) {
		this.resolver = resolver;
		List<ClientInterceptor> sorted = new ArrayList<>(interceptors);
		AnnotationAwareOrderComparator.sort(sorted);
		this.interceptors = List.copyOf(sorted);
		this.preparer = preparer;
		this.clock = clock;
	}

	/**
	 * Resolve, intercept and check a request.
	 * @param last what the last interceptor proceeds to; not called if one stops the
	 * request
	 */
	EnqueueResult admit(JobRequest request, Function<PreparedJob, EnqueueResult> last) {
		ResolvedRequest resolved = this.resolver.resolve(request);
		String id = this.ids.next(this.clock.millis());
		if (this.interceptors.isEmpty()) {
			return last.apply(this.preparer.prepare(id, resolved));
		}
		InterceptedRequest intercepted = new InterceptedRequest(id, this.interceptors,
				(changed) -> last.apply(this.preparer.prepare(id, this.resolver.resolveAgain(changed, resolved))));
		return intercepted.proceed(resolved.request().queue(resolved.queue()));
	}

}
