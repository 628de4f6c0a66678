package io.github.steadyjobs.guide.idempotentjobs;

import java.util.List;
import java.util.UUID;

import javax.sql.DataSource;

import com.tngtech.archunit.core.importer.ImportOption.DoNotIncludeTests;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.lang.ArchRule;
import com.zaxxer.hikari.HikariDataSource;
import io.github.steadyjobs.Idempotence;
import io.github.steadyjobs.Idempotent;
import io.github.steadyjobs.Job;
import io.github.steadyjobs.JobClient;
import io.github.steadyjobs.JobRequest;
import io.github.steadyjobs.NotIdempotent;
import io.github.steadyjobs.postgres.PostgresConsistencySource;
import io.github.steadyjobs.test.IdempotenceCheck;
import io.github.steadyjobs.test.IdempotentJobContract;
import io.github.steadyjobs.test.JobRules;
import org.junit.jupiter.api.Test;

import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.beans.factory.annotation.Qualifier;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.context.ApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.jdbc.datasource.LazyConnectionDataSourceProxy;
import org.springframework.transaction.annotation.Transactional;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Code of {@code docs/idempotent-jobs.md}.
 */
class IdempotentJobsPage {

	JobClient jobs;

	UUID id;

	Files files;

	Invoices invoices;

	ProductChange change;

	@Job
	@Idempotent
	void refresh(UUID product) {
	}

	@Job
	@NotIdempotent("posts money; the ledger refuses a second posting with the same id")
	void post(UUID posting, long cents) {
	}

	@Idempotent(key = "#change.productId")
	void reindex(ProductChange change) {
	}

	void enqueue(String id) {
		jobs.enqueue(JobRequest.named("product.reindex", change)
			.idempotent(Idempotence.untilExecuted().runOnceMore().key(id)));
	}

	@Job
	@Idempotent(keepConsistency = true)
	@Transactional(readOnly = true)
	public void report(UUID order) {
	}

	@Configuration(proxyBeanMethods = false)
	class DatabaseConfiguration {

		@Bean(defaultCandidate = false)
		@ConfigurationProperties("app.primary")
		HikariDataSource primary() {
			return new HikariDataSource();
		}

		@Bean(defaultCandidate = false)
		@ConfigurationProperties("app.replica")
		HikariDataSource replica() {
			return new HikariDataSource();
		}

		@Bean
		PostgresConsistencySource orders(@Qualifier("primary") DataSource primary,
				@Qualifier("replica") DataSource replica) {
			return PostgresConsistencySource.of("orders", primary, replica);
		}

		@Bean
		DataSource dataSource(@Qualifier("primary") DataSource primary, PostgresConsistencySource orders) {
			LazyConnectionDataSourceProxy dataSource = new LazyConnectionDataSourceProxy(primary);
			dataSource.setReadOnlyDataSource(orders.dataSource());
			return dataSource;
		}

	}

	@SpringBootTest(properties = { "steadyjobs.worker.enabled=false", "steadyjobs.doctor.enabled=false" })
	class SendInvoiceTests implements IdempotentJobContract {

		@Autowired
		private Invoices invoices;

		@Override
		public JobRequest request() {
			return JobRequest.of(new SendInvoice(this.invoices.add("Ada"), "final"));
		}

		@Override
		public Object observe() {
			return this.invoices.findAll();
		}

		@Override
		public void verify(int run) {
			assertThat(this.invoices.findAll()).allMatch(Invoice::isSent);
		}

	}

	@Test
	void jobsAreIdempotent(@Autowired ApplicationContext context) throws Exception {
		IdempotenceCheck check = IdempotenceCheck.in(context).runs(3);
		check.check(JobRequest.of(Cleanup.class, Cleanup::perform), this.files::list);
		check.check(JobRequest.of(new SendInvoice(id, "final")), this.invoices::findAll);
	}

	@AnalyzeClasses(packages = "com.example.shop", importOptions = DoNotIncludeTests.class)
	class ArchitectureTests {

		@ArchTest
		static final ArchRule idempotence = JobRules.DECLARE_IDEMPOTENCE;

	}

	record ProductChange(UUID productId) {

	}

	record Invoice(boolean isSent) {

	}

	record SendInvoice(UUID id, String template) {

	}

	interface Files {

		Object list();

	}

	interface Invoices {

		UUID add(String customer);

		List<Invoice> findAll();

	}

	static class Cleanup {

		@Job
		void perform() {
		}

	}

}
