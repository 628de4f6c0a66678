package io.github.steadyjobs.guide.guide;

import java.net.http.HttpResponse;
import java.time.Duration;
import java.time.Instant;
import java.time.YearMonth;
import java.util.List;
import java.util.Optional;
import java.util.UUID;

import io.github.steadyjobs.ClientInterceptor;
import io.github.steadyjobs.EnqueueResult;
import io.github.steadyjobs.Idempotent;
import io.github.steadyjobs.Job;
import io.github.steadyjobs.JobClient;
import io.github.steadyjobs.JobContext;
import io.github.steadyjobs.JobPayload;
import io.github.steadyjobs.JobRequest;
import io.github.steadyjobs.PauseQueueException;
import io.github.steadyjobs.ServerInterceptor;
import org.jspecify.annotations.Nullable;

import org.springframework.stereotype.Component;

/**
 * Code of {@code docs/guide.md}.
 */
class GuidePage {

	JobClient jobs;

	UUID id;

	YearMonth month;

	Instant instant;

	List<JobRequest> requests;

	HttpResponse<String> response;

	@Component
	class ReportJobs {

		@Job(queue = "reports", retries = 5)
		@Idempotent
		void monthly(UUID customer, YearMonth month, JobContext job) {
		}

	}

	void enqueue() {
		jobs.enqueue(new Welcome("ada@example.org"));
		jobs.enqueue(ReportJobs.class, (reports) -> reports.monthly(id, month, JobContext.none()));
		jobs.schedule(new Welcome("ada@example.org"), Duration.ofHours(1));
		jobs.enqueue(JobRequest.named("reports.monthly", id, month).queue("reports").at(instant));
		jobs.enqueue(JobRequest.of(new Welcome("ada@example.org")).queue("low").retries(3));
		jobs.enqueueAll(requests);
	}

	void spread() {
		jobs.enqueueAll(requests.stream().map((request) -> request.at(timeOf(request))).toList());
		jobs.enqueueAll(JobRequest.spread(requests, Duration.ofMinutes(10)));
	}

	void tags() {
		jobs.enqueue(JobRequest.of(new Welcome("ada@example.org")).tags("sign-up").meta("requestedBy", "ada"));
	}

	void find() {
		String id = jobs.enqueue(new Welcome("ada@example.org")).id();
		Optional<JobPayload> stored = jobs.find(id);
		boolean cancelled = jobs.cancel(id);
	}

	@Component
	class TenantInterceptor implements ClientInterceptor, ServerInterceptor {

		@Override
		public EnqueueResult intercept(JobRequest request, ClientInterceptor.Chain chain) {
			String tenant = Tenant.current();
			return chain.proceed((tenant != null) ? request.meta("tenant", tenant) : request);
		}

		@Override
		public void intercept(JobContext job, ServerInterceptor.Chain chain) throws Exception {
			Tenant.set(job.meta().get("tenant"));
			try {
				chain.proceed();
			}
			finally {
				Tenant.clear();
			}
		}

	}

	void pause() {
		if (response.statusCode() == 429) {
			throw new PauseQueueException("Too many requests", Duration.ofSeconds(30));
		}
	}

	Instant timeOf(JobRequest request) {
		return this.instant;
	}

	record Welcome(String email) {

	}

	static class Tenant {

		static @Nullable String current() {
			return null;
		}

		static void set(@Nullable String tenant) {
		}

		static void clear() {
		}

	}

}
