package io.github.steadyjobs.client;

import java.time.Clock;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
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

	private final EnqueueReport report;

	private final Clock clock;

	Intake(RequestResolver resolver, List<ClientInterceptor> interceptors, JobPreparer preparer, EnqueueReport report,
			Clock clock) {
		this.resolver = resolver;
		List<ClientInterceptor> sorted = new ArrayList<>(interceptors);
		AnnotationAwareOrderComparator.sort(sorted);
		this.interceptors = List.copyOf(sorted);
		this.preparer = preparer;
		this.report = report;
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
		AtomicBoolean passed = new AtomicBoolean();
		Function<ResolvedRequest, EnqueueResult> pass = (checked) -> {
			PreparedJob job = this.preparer.prepare(id, checked);
			passed.set(true);
			return last.apply(job);
		};
		boolean returned = false;
		try {
			EnqueueResult result = intercept(id, resolved, pass);
			returned = true;
			return result;
		}
		finally {
			if (!passed.get()) {
				this.report.ended(resolved, returned);
			}
		}
	}

	private EnqueueResult intercept(String id, ResolvedRequest resolved,
			Function<ResolvedRequest, EnqueueResult> pass) {
		if (this.interceptors.isEmpty()) {
			return pass.apply(resolved);
		}
		InterceptedRequest intercepted = new InterceptedRequest(id, this.interceptors,
				(changed) -> pass.apply(this.resolver.resolveAgain(changed, resolved)));
		return intercepted.proceed(resolved.request().queue(resolved.queue()));
	}

}
