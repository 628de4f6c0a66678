package io.github.steadyjobs.guide.testing;

import io.github.steadyjobs.JobRequest;
import io.github.steadyjobs.test.boot.JobsTest;
import io.github.steadyjobs.test.boot.RecordedJobs;
import org.junit.jupiter.api.Test;

import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.test.context.bean.override.mockito.MockitoBean;

import static org.mockito.Mockito.verify;

@JobsTest
class MailJobsTests {

	@MockitoBean
	Mailbox mailbox;

	@Test
	void sendsToTheNewCustomer(@Autowired RecordedJobs jobs) {
		jobs.run(JobRequest.of(new Welcome("ada@example.org"))).rethrow();
		verify(this.mailbox).send("ada@example.org");
	}

}
