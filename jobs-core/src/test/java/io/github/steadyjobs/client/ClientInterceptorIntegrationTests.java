package io.github.steadyjobs.client;

import java.util.ArrayList;
import java.util.List;

import io.github.steadyjobs.ClientInterceptor;
import io.github.steadyjobs.EnqueueResult;
import io.github.steadyjobs.EnqueueResult.Stopped;
import io.github.steadyjobs.InvalidJobException;
import io.github.steadyjobs.JobClient;
import io.github.steadyjobs.JobPayload;
import io.github.steadyjobs.JobRequest;
import io.github.steadyjobs.JobRequest.Named;
import io.github.steadyjobs.client.MailJobs.Unknown;
import io.github.steadyjobs.client.MailJobs.Welcome;
import io.github.steadyjobs.support.RedisTest;
import io.github.steadyjobs.support.TestRedis;
import org.junit.jupiter.api.Test;

import org.springframework.core.Ordered;
import org.springframework.core.annotation.Order;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

/**
 * Tests for {@link ClientInterceptor}s that wrap a client (SK-46).
 */
@RedisTest
class ClientInterceptorIntegrationTests {

	private final TestRedis redis;

	private final List<Object> calls = new ArrayList<>();

	ClientInterceptorIntegrationTests(TestRedis redis) {
		this.redis = redis;
	}

	@Test
	void enqueueCallsInterceptorsInOrderOncePerJob() {
		JobClient client = Clients.client(this.redis, new Last(), new Middle(), new First());
		EnqueueResult result = client.enqueue(new Welcome("ann", 1));
		assertThat(this.calls).containsExactly("first", "middle", "last", result);
		this.calls.clear();
		client.enqueueAll(List.of(JobRequest.named("a"), JobRequest.named("b")));
		assertThat(this.calls).filteredOn("first"::equals).hasSize(2);
	}

	@Test
	void enqueueShowsInterceptorsNameAndArguments() {
		List<JobRequest.Target> targets = new ArrayList<>();
		JobClient client = Clients.client(this.redis, (request, chain) -> {
			targets.add(request.target());
			return chain.proceed(request);
		});
		client.enqueue(new Welcome("ann", 1));
		client.enqueue(Mailer.class, (job) -> job.digest("ann", 7, null));
		assertThat(targets).containsExactly(new Named("mail.welcome", List.of(new Welcome("ann", 1))),
				new Named("mail.digest", List.of("ann", 7L)));
	}

	@Test
	void enqueueShowsInterceptorsTheQueue() {
		List<String> queues = new ArrayList<>();
		JobClient client = Clients.client(this.redis, (request, chain) -> {
			queues.add(request.options().queue());
			return chain.proceed(request);
		});
		client.enqueue(new Welcome("ann", 1));
		client.enqueue(JobRequest.of(new Welcome("ann", 1)).queue("other"));
		client.enqueue(JobRequest.named("elsewhere"));
		assertThat(queues).containsExactly("mail", "other", "default");
	}

	@Test
	void enqueueWhenInterceptorChangesEverythingStoresThat() {
		JobClient client = Clients.client(this.redis,
				(request,
						chain) -> chain.proceed(JobRequest.named("mail.digest", "bob", 2L)
							.options(request.options())
							.queue("other")
							.retries(1)
							.dead(false)
							.tags("seen")
							.meta("id", chain.id())));
		EnqueueResult result = client.enqueue(new Welcome("ann", 1));
		assertThat(client.find(result.id())).get()
			.extracting(JobPayload::name, JobPayload::queue, (job) -> job.retries(9), JobPayload::isKeptWhenDead,
					JobPayload::tags, JobPayload::meta, (job) -> job.arguments().toString())
			.hasToString("[mail.digest, other, 1, false, [seen], {id=" + result.id() + "}, [\"bob\",2]]");
	}

	@Test
	void enqueueWhenInterceptorChangesTheJobTakesSettingsOfThatOne() {
		JobClient client = Clients.client(this.redis,
				(request, chain) -> chain.proceed(JobRequest.of(new Welcome("ann", 1)).options(request.options())));
		EnqueueResult result = client.enqueue(JobRequest.named("a"));
		assertThat(client.find(result.id())).get()
			.extracting(JobPayload::name, JobPayload::queue, (job) -> job.retries(9))
			.containsExactly("mail.welcome", "mail", 5);
	}

	@Test
	void enqueueWhenInterceptorMakesRequestInvalidThrows() {
		JobClient client = Clients.client(this.redis,
				(request, chain) -> chain.proceed(JobRequest.named("a", new Object()).options(request.options())));
		assertThatExceptionOfType(InvalidJobException.class).isThrownBy(() -> client.enqueue(new Welcome("ann", 1)));
		assertThat(this.redis.contents()).isEmpty();
	}

	@Test
	void enqueueWhenInterceptorStopsStoresNothing() {
		// SK-60: the caller learns that the job was not enqueued.
		JobClient client = Clients.client(this.redis, (request, chain) -> chain.stop());
		EnqueueResult result = client.enqueue(new Welcome("ann", 1));
		assertThat(result).isEqualTo(new Stopped(result.id()));
		assertThat(this.redis.contents()).isEmpty();
	}

	@Test
	void enqueueWhenRequestCannotBeResolvedCallsNoInterceptor() {
		JobClient client = Clients.client(this.redis, new First());
		assertThatExceptionOfType(InvalidJobException.class).isThrownBy(() -> client.enqueue(new Unknown("x")));
		assertThat(this.calls).isEmpty();
	}

	@Test
	void enqueueWhenInterceptorThrowsStoresNothing() {
		JobClient client = Clients.client(this.redis, (request, chain) -> {
			throw new IllegalStateException("no");
		});
		assertThatIllegalStateException().isThrownBy(() -> client.enqueue(new Welcome("ann", 1))).withMessage("no");
		assertThatIllegalStateException().isThrownBy(() -> client.enqueueAll(List.of(JobRequest.named("a"))));
		assertThat(this.redis.contents()).isEmpty();
	}

	@Test
	void enqueueWhenInterceptorProceedsTwiceStoresOnce() {
		JobClient client = Clients.client(this.redis, (request, chain) -> {
			chain.proceed(request);
			return chain.proceed(request);
		});
		assertThatIllegalStateException().isThrownBy(() -> client.enqueue(JobRequest.named("a")));
		assertThat(this.redis.template().opsForList().size(this.redis.key("default", "ready"))).isEqualTo(1);
	}

	private EnqueueResult noted(String name, JobRequest request, ClientInterceptor.Chain chain) {
		this.calls.add(name);
		return chain.proceed(request);
	}

	private final class First implements ClientInterceptor, Ordered {

		@Override
		public EnqueueResult intercept(JobRequest request, Chain chain) {
			EnqueueResult result = noted("first", request, chain);
			ClientInterceptorIntegrationTests.this.calls.add(result);
			return result;
		}

		@Override
		public int getOrder() {
			return 1;
		}

	}

	@Order(2)
	private final class Middle implements ClientInterceptor {

		@Override
		public EnqueueResult intercept(JobRequest request, Chain chain) {
			return noted("middle", request, chain);
		}

	}

	private final class Last implements ClientInterceptor {

		@Override
		public EnqueueResult intercept(JobRequest request, Chain chain) {
			return noted("last", request, chain);
		}

	}

}
