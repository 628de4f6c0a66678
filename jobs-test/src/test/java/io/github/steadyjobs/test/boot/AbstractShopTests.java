package io.github.steadyjobs.test.boot;

import io.github.steadyjobs.JobClient;
import io.github.steadyjobs.test.boot.shop.ChainJobs;
import io.github.steadyjobs.test.boot.shop.MailJobs;
import io.github.steadyjobs.test.boot.shop.ShopApplication;
import io.github.steadyjobs.test.boot.shop.SignUp;
import io.github.steadyjobs.test.boot.shop.TenantInterceptor;
import org.junit.jupiter.api.BeforeEach;

import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.support.TransactionTemplate;

/**
 * The common base of tests with the shop.
 */
@SpringBootTest(classes = ShopApplication.class, properties = { "spring.datasource.generate-unique-name=true",
		"spring.data.redis.port=1", "steadyjobs.retry.max=3" })
abstract class AbstractShopTests {

	@Autowired
	RecordedJobs jobs;

	@Autowired
	JobClient client;

	@Autowired
	SignUp signUp;

	@Autowired
	JdbcTemplate database;

	private TransactionTemplate transaction;

	@Autowired
	void transactionManager(PlatformTransactionManager transactionManager) {
		this.transaction = new TransactionTemplate(transactionManager);
	}

	@BeforeEach
	void forget() {
		this.database.update("delete from customer");
		this.database.update("delete from welcomed");
		MailJobs.SENT.clear();
		ChainJobs.RAN.clear();
		TenantInterceptor.RUNS.clear();
	}

	void inTransaction(Runnable action) {
		this.transaction.executeWithoutResult((status) -> action.run());
	}

	int welcomed() {
		return this.database.queryForObject("select count(*) from welcomed", Integer.class);
	}

}
