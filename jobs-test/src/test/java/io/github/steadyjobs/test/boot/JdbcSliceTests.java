package io.github.steadyjobs.test.boot;

import io.github.steadyjobs.test.boot.shop.MailJobs;
import io.github.steadyjobs.test.boot.shop.MailJobs.Welcome;
import io.github.steadyjobs.test.boot.shop.ShopApplication;
import io.github.steadyjobs.test.boot.shop.SignUp;
import org.junit.jupiter.api.Test;

import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.jdbc.test.autoconfigure.JdbcTest;
import org.springframework.context.annotation.Import;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.test.context.ContextConfiguration;
import org.springframework.test.context.transaction.TestTransaction;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests of {@link AutoConfigureJobs} together with a slice of Spring Boot, whose tests
 * run in transactions that are rolled back.
 */
@JdbcTest
@AutoConfigureJobs
@ContextConfiguration(classes = ShopApplication.class)
@Import({ SignUp.class, MailJobs.class })
class JdbcSliceTests {

	@Autowired
	SignUp signUp;

	@Autowired
	RecordedJobs jobs;

	@Test
	void aJobOfTheTransactionOfTheTestIsNotRecorded() {
		this.signUp.register("ada");
		assertThat(this.jobs).hasEnqueuedNothing();
	}

	@Test
	void aJobIsRecordedAfterTheCommitOfTheTest(@Autowired JdbcTemplate database) {
		this.signUp.register("ada");
		TestTransaction.flagForCommit();
		TestTransaction.end();
		assertThat(this.jobs).hasEnqueued(Welcome.class).once().afterCommit();
		assertThat(this.jobs.drain().done()).isOne();
		assertThat(database.queryForObject("select count(*) from welcomed", Integer.class)).isOne();
	}

}
