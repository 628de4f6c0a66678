package io.github.steadyjobs.guide.testing;

import java.time.Duration;

import io.github.steadyjobs.JobOutcome;
import io.github.steadyjobs.JobRequest;
import io.github.steadyjobs.test.boot.AutoConfigureJobs;
import io.github.steadyjobs.test.boot.Drain;
import io.github.steadyjobs.test.boot.Drained;
import io.github.steadyjobs.test.boot.RecordedJobs;
import io.github.steadyjobs.test.boot.RunResult;
import org.junit.jupiter.api.Test;

import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.test.context.SpringBootTest;

import static org.assertj.core.api.Assertions.assertThat;

@SpringBootTest
@AutoConfigureJobs
class SignUpTests {

	@Autowired
	SignUp signUp;

	@Autowired
	RecordedJobs jobs;

	@Test
	void welcomesAndReminds() {
		this.signUp.register("ada@example.org");
		assertThat(this.jobs).hasEnqueued(Welcome.class)
			.once()
			.inQueue("mail")
			.afterCommit()
			.withArgument((welcome) -> assertThat(welcome.email()).isEqualTo("ada@example.org"));
		assertThat(this.jobs).hasEnqueued(MailJobs.class, (mail) -> mail.remind("ada@example.org", 7))
			.dueIn(Duration.ofDays(7));
		assertThat(this.jobs).hasEnqueuedNothingElse();
	}

	@Test
	void remindsAfterAWeek(@Autowired Mailbox mailbox) {
		this.signUp.register("bob@example.org");
		Drained ran = this.jobs.drain();
		assertThat(ran.done()).isOne();
		this.jobs.advance(Duration.ofDays(7));
		assertThat(this.jobs.drain().done()).isOne();
		assertThat(mailbox.recipients()).filteredOn("bob@example.org"::equals).hasSize(2);
	}

	@Test
	void failsWithoutARecipient() {
		RunResult result = this.jobs.run(JobRequest.of(new Welcome("")));
		assertThat(result.outcome()).isEqualTo(JobOutcome.RETRY);
		assertThat(result.failure()).hasMessage("There is no recipient");
	}

	@Test
	void givesUpInTheEnd() {
		this.signUp.register("");
		Drained ran = this.jobs
			.drain(Drain.only(Welcome.class).recursively().upTo(this.jobs.now().plus(Duration.ofDays(60))));
		assertThat(ran.count(JobOutcome.RETRY)).isEqualTo(25);
		assertThat(ran.count(JobOutcome.DEAD)).isOne();
	}

}
