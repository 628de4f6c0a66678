package io.github.steadyjobs.test.boot.shop;

import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

import io.github.steadyjobs.ClientInterceptor;
import io.github.steadyjobs.EnqueueResult;
import io.github.steadyjobs.JobContext;
import io.github.steadyjobs.JobRequest;
import io.github.steadyjobs.ServerInterceptor;

import org.springframework.stereotype.Component;

/**
 * Adds metadata to all jobs, and notes their runs.
 */
@Component
public class TenantInterceptor implements ClientInterceptor, ServerInterceptor {

	public static final List<String> RUNS = new CopyOnWriteArrayList<>();

	@Override
	public EnqueueResult intercept(JobRequest request, ClientInterceptor.Chain chain) {
		return chain.proceed(request.meta("tenant", "t1"));
	}

	@Override
	public void intercept(JobContext job, ServerInterceptor.Chain chain) throws Exception {
		RUNS.add(job.name());
		chain.proceed();
	}

}
