package io.github.steadyjobs.boot;

import java.util.ArrayList;
import java.util.List;

import io.github.steadyjobs.EnqueueResult;
import io.github.steadyjobs.EnqueueResult.Deferred;
import io.github.steadyjobs.EnqueueResult.Enqueued;
import io.github.steadyjobs.JobClient;
import io.github.steadyjobs.JobRequest;
import io.github.steadyjobs.JobStoreException;
import io.github.steadyjobs.support.RedisTest;
import io.github.steadyjobs.support.TestRedis;
import org.junit.jupiter.api.Test;

import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.data.redis.autoconfigure.DataRedisAutoConfiguration;
import org.springframework.boot.jdbc.autoconfigure.DataSourceAutoConfiguration;
import org.springframework.boot.jdbc.autoconfigure.DataSourceTransactionManagerAutoConfiguration;
import org.springframework.boot.jdbc.autoconfigure.JdbcTemplateAutoConfiguration;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.boot.transaction.autoconfigure.TransactionAutoConfiguration;
import org.springframework.context.ApplicationContext;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.TransactionDefinition;
import org.springframework.transaction.annotation.Transactional;
import org.springframework.transaction.event.TransactionalEventListener;
import org.springframework.transaction.support.TransactionTemplate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

/**
 * Tests for jobs that are enqueued in database transactions, with the transaction manager
 * that Spring Boot configures.
 */
@RedisTest
class JobsTransactionIntegrationTests {

	private final TestRedis redis;

	private final ApplicationContextRunner runner;

	JobsTransactionIntegrationTests(TestRedis redis) {
		this.redis = redis;
		this.runner = new ApplicationContextRunner()
			.withConfiguration(
					AutoConfigurations.of(DataRedisAutoConfiguration.class, DataSourceAutoConfiguration.class,
							JdbcTemplateAutoConfiguration.class, DataSourceTransactionManagerAutoConfiguration.class,
							TransactionAutoConfiguration.class, JobsAutoConfiguration.class))
			.withBean(Orders.class)
			.withPropertyValues("spring.data.redis.url=" + redis.url(), "steadyjobs.prefix=" + redis.prefix(),
					"spring.datasource.generate-unique-name=true");
	}

	@Test
	void enqueueWhenTransactionalMethodReturnsStoresAfterTheCommit() {
		this.runner.run((context) -> {
			Orders orders = context.getBean(Orders.class);
			assertThat(orders.place(() -> assertThat(this.redis.contents()).isEmpty())).isInstanceOf(Deferred.class);
			assertThat(orders.count()).isOne();
			assertThat(stored()).containsExactly("confirm");
		});
	}

	@Test
	void enqueueWhenTransactionalMethodThrowsStoresNeither() {
		this.runner.run((context) -> {
			Orders orders = context.getBean(Orders.class);
			assertThatIllegalStateException().isThrownBy(() -> orders.place(() -> {
				throw new IllegalStateException("of a test");
			}));
			assertThat(orders.count()).isZero();
			assertThat(this.redis.contents()).isEmpty();
		});
	}

	@Test
	void enqueueWhenAnInnerTransactionCommitsStoresItsJobWhateverTheOuterOneDoes() {
		this.runner.run((context) -> {
			JobClient client = context.getBean(JobClient.class);
			transaction(context, TransactionDefinition.PROPAGATION_REQUIRED).executeWithoutResult((outer) -> {
				client.enqueue(JobRequest.named("outer"));
				transaction(context, TransactionDefinition.PROPAGATION_REQUIRES_NEW)
					.executeWithoutResult((inner) -> client.enqueue(JobRequest.named("inner")));
				assertThat(stored()).containsExactly("inner");
				outer.setRollbackOnly();
			});
			assertThat(stored()).containsExactly("inner");
		});
	}

	@Test
	void enqueueWhenBackAtASavepointForgetsWhatCameAfterIt() {
		this.runner.run((context) -> {
			JobClient client = context.getBean(JobClient.class);
			transaction(context, TransactionDefinition.PROPAGATION_REQUIRED).executeWithoutResult((outer) -> {
				client.enqueue(JobRequest.named("kept"));
				transaction(context, TransactionDefinition.PROPAGATION_NESTED).executeWithoutResult((nested) -> {
					client.enqueue(JobRequest.named("dropped"));
					nested.setRollbackOnly();
				});
			});
			assertThat(stored()).containsExactly("kept");
		});
	}

	@Test
	void enqueueWhenAnEventListenerHearsOfTheCommitStoresAtOnce() {
		this.runner.run((context) -> {
			transaction(context, TransactionDefinition.PROPAGATION_REQUIRED)
				.executeWithoutResult((status) -> context.publishEvent("ordered"));
			assertThat(context.getBean(Orders.class).announced()).singleElement().isInstanceOf(Enqueued.class);
			assertThat(stored()).containsExactly("ordered");
		});
	}

	@Test
	void commitWhenRedisIsAwaySaysThatTheTransactionHasCommitted() {
		this.runner
			.withPropertyValues("spring.data.redis.url=redis://127.0.0.1:1", "steadyjobs.client.retry-after-commit=0s")
			.run((context) -> {
				Orders orders = context.getBean(Orders.class);
				assertThatExceptionOfType(JobStoreException.class).isThrownBy(() -> orders.place(() -> {
				})).withMessageContaining("The transaction HAS committed");
				assertThat(orders.count()).isOne();
			});
	}

	private static TransactionTemplate transaction(ApplicationContext context, int propagation) {
		TransactionTemplate template = new TransactionTemplate(context.getBean(PlatformTransactionManager.class));
		template.setPropagationBehavior(propagation);
		return template;
	}

	private List<String> stored() {
		return this.redis.template()
			.<String, String>opsForHash()
			.values(this.redis.key("default", "payloads"))
			.stream()
			.map((payload) -> payload.replaceFirst(".*\"class\":\"(\\w+)\".*", "$1"))
			.toList();
	}

	static class Orders {

		private final List<EnqueueResult> announced = new ArrayList<>();

		private final JobClient client;

		private final JdbcTemplate jdbc;

		Orders(JobClient client, JdbcTemplate jdbc) {
			this.client = client;
			this.jdbc = jdbc;
			jdbc.execute("create table orders (id int)");
		}

		@Transactional
		public EnqueueResult place(Runnable meanwhile) {
			this.jdbc.update("insert into orders values (1)");
			EnqueueResult result = this.client.enqueue(JobRequest.named("confirm"));
			meanwhile.run();
			return result;
		}

		@TransactionalEventListener
		public void announce(String event) {
			this.announced.add(this.client.enqueue(JobRequest.named(event)));
		}

		public List<EnqueueResult> announced() {
			return this.announced;
		}

		public int count() {
			return this.jdbc.queryForObject("select count(*) from orders", Integer.class);
		}

	}

}
