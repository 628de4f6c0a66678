package io.github.steadyjobs.boot;

import java.util.List;
import java.util.UUID;

import io.github.steadyjobs.EnqueueResult;
import io.github.steadyjobs.EnqueueResult.Deferred;
import io.github.steadyjobs.JobClient;
import io.github.steadyjobs.JobRequest;
import io.github.steadyjobs.support.RedisTest;
import io.github.steadyjobs.support.TestRedis;
import jakarta.persistence.Entity;
import jakarta.persistence.Id;
import jakarta.persistence.Table;
import jakarta.persistence.UniqueConstraint;
import org.junit.jupiter.api.Test;

import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.data.redis.autoconfigure.DataRedisAutoConfiguration;
import org.springframework.boot.hibernate.autoconfigure.HibernateJpaAutoConfiguration;
import org.springframework.boot.jdbc.autoconfigure.DataSourceAutoConfiguration;
import org.springframework.boot.persistence.autoconfigure.EntityScan;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.boot.transaction.autoconfigure.TransactionAutoConfiguration;
import org.springframework.context.annotation.Configuration;
import org.springframework.dao.DataIntegrityViolationException;
import org.springframework.data.jpa.repository.JpaRepository;
import org.springframework.data.jpa.repository.config.EnableJpaRepositories;
import org.springframework.orm.jpa.JpaTransactionManager;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.annotation.Transactional;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

/**
 * Tests for jobs that are enqueued in the transactions in which JPA saves entities.
 */
@RedisTest
class JobsJpaTransactionIntegrationTests {

	private final TestRedis redis;

	private final ApplicationContextRunner runner;

	JobsJpaTransactionIntegrationTests(TestRedis redis) {
		this.redis = redis;
		this.runner = new ApplicationContextRunner()
			.withConfiguration(AutoConfigurations.of(DataRedisAutoConfiguration.class,
					DataSourceAutoConfiguration.class, HibernateJpaAutoConfiguration.class,
					TransactionAutoConfiguration.class, JobsAutoConfiguration.class))
			.withUserConfiguration(Persistence.class)
			.withBean(Customers.class)
			.withPropertyValues("spring.data.redis.url=" + redis.url(), "steadyjobs.prefix=" + redis.prefix(),
					"spring.datasource.generate-unique-name=true", "spring.jpa.hibernate.ddl-auto=create");
	}

	@Test
	void enqueueWhenEntityIsSavedStoresAfterTheCommit() {
		this.runner.run((context) -> {
			assertThat(context.getBean(PlatformTransactionManager.class)).isInstanceOf(JpaTransactionManager.class);
			Customers customers = context.getBean(Customers.class);
			UUID id = UUID.randomUUID();
			EnqueueResult result = customers.register(id, "ada", () -> assertThat(this.redis.contents()).isEmpty());
			assertThat(result).isInstanceOf(Deferred.class);
			assertThat(customers.names()).containsExactly("ada");
			assertThat(stored()).singleElement().asString().contains("\"class\":\"welcome\"", id.toString());
		});
	}

	@Test
	void enqueueWhenTransactionRollsBackStoresNeitherEntityNorJob() {
		this.runner.run((context) -> {
			Customers customers = context.getBean(Customers.class);
			assertThatIllegalStateException().isThrownBy(() -> customers.register(UUID.randomUUID(), "ada", () -> {
				throw new IllegalStateException("of a test");
			}));
			assertThat(customers.names()).isEmpty();
			assertThat(this.redis.contents()).isEmpty();
		});
	}

	@Test
	void enqueueWhenTheDatabaseRefusesTheEntityAtTheCommitStoresNoJob() {
		this.runner.run((context) -> {
			Customers customers = context.getBean(Customers.class);
			customers.register(UUID.randomUUID(), "ada", () -> {
			});
			this.redis.clear();
			// Hibernate writes at commit, long after the job was accepted.
			assertThatExceptionOfType(DataIntegrityViolationException.class)
				.isThrownBy(() -> customers.register(UUID.randomUUID(), "ada", () -> {
				}));
			assertThat(customers.names()).containsExactly("ada");
			assertThat(this.redis.contents()).isEmpty();
		});
	}

	private List<String> stored() {
		return this.redis.template().<String, String>opsForHash().values(this.redis.key("default", "payloads"));
	}

	@Configuration(proxyBeanMethods = false)
	@EntityScan(basePackageClasses = Customer.class)
	@EnableJpaRepositories(basePackageClasses = CustomerRepository.class, considerNestedRepositories = true)
	static class Persistence {

	}

	@Entity
	@Table(uniqueConstraints = @UniqueConstraint(columnNames = "name"))
	static class Customer {

		@Id
		private UUID id;

		private String name;

		protected Customer() {
		}

		Customer(UUID id, String name) {
			this.id = id;
			this.name = name;
		}

		String name() {
			return this.name;
		}

	}

	interface CustomerRepository extends JpaRepository<Customer, UUID> {

	}

	static class Customers {

		private final CustomerRepository repository;

		private final JobClient client;

		Customers(CustomerRepository repository, JobClient client) {
			this.repository = repository;
			this.client = client;
		}

		@Transactional
		public EnqueueResult register(UUID id, String name, Runnable meanwhile) {
			this.repository.save(new Customer(id, name));
			EnqueueResult result = this.client.enqueue(JobRequest.named("welcome", id));
			meanwhile.run();
			return result;
		}

		public List<String> names() {
			return this.repository.findAll().stream().map(Customer::name).toList();
		}

	}

}
