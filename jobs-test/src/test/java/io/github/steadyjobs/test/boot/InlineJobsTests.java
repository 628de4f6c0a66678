package io.github.steadyjobs.test.boot;

import java.time.Duration;
import java.util.List;

import io.github.steadyjobs.EnqueueResult.Enqueued;
import io.github.steadyjobs.JobOutcome;
import io.github.steadyjobs.JobRequest;
import io.github.steadyjobs.test.boot.AutoConfigureJobs.Mode;
import io.github.steadyjobs.test.boot.shop.ChainJobs;
import io.github.steadyjobs.test.boot.shop.ChainJobs.Again;
import io.github.steadyjobs.test.boot.shop.ChainJobs.Elsewhere;
import io.github.steadyjobs.test.boot.shop.ChainJobs.Ordered;
import io.github.steadyjobs.test.boot.shop.MailJobs;
import io.github.steadyjobs.test.boot.shop.MailJobs.Failing;
import io.github.steadyjobs.test.boot.shop.MailJobs.Reminder;
import io.github.steadyjobs.test.boot.shop.MailJobs.Welcome;
import io.github.steadyjobs.test.boot.shop.TenantInterceptor;
import org.junit.jupiter.api.Test;

import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.transaction.support.TransactionSynchronization;
import org.springframework.transaction.support.TransactionSynchronizationManager;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

/**
 * Tests of mode {@code INLINE}. The configured Redis does not exist.
 */
@AutoConfigureJobs(mode = Mode.INLINE)
class InlineJobsTests extends AbstractShopTests {

	@Autowired
	ConfigurableApplicationContext context;

	@Test
	void aJobRunsAfterTheCommitInItsOwnTransaction() {
		inTransaction(() -> {
			this.signUp.register("ada");
			assertThat(MailJobs.SENT).isEmpty();
		});
		assertThat(MailJobs.SENT).containsExactly("welcome ada attempt 1 tenant t1");
		assertThat(TenantInterceptor.RUNS).containsExactly("MailJobs.welcome");
		assertThat(welcomed()).isOne();
		assertThat(this.jobs).hasEnqueued(Welcome.class).once().afterCommit();
	}

	@Test
	void aJobOfATransactionThatIsRolledBackDoesNotRun() {
		assertThatIllegalStateException().isThrownBy(() -> this.signUp.fail("ada"));
		assertThat(MailJobs.SENT).isEmpty();
	}

	@Test
	void withoutATransactionAJobRunsAtOnce() {
		assertThat(this.client.enqueue(new Welcome("ada"))).isInstanceOf(Enqueued.class);
		assertThat(MailJobs.SENT).hasSize(1);
	}

	@Test
	void aFailureIsThrownToTheCaller() {
		assertThatIllegalArgumentException().isThrownBy(() -> this.client.enqueue(new Failing("always")))
			.withMessage("always");
		assertThatIllegalArgumentException()
			.isThrownBy(() -> inTransaction(() -> this.client.enqueue(new Failing("after the commit"))))
			.withMessage("after the commit");
		this.jobs.advance(Duration.ofHours(1));
		assertThat(this.jobs.drain().failed()).as("retries").isEqualTo(2);
	}

	@Test
	void theLastFailureOfAJobThatIsDiscardedIsThrownAndADiscardOnRequestIsNot() {
		assertThatIllegalArgumentException()
			.isThrownBy(() -> this.client.enqueue(ChainJobs.class, (chain) -> chain.failUnkept("the last time")))
			.withMessage("the last time");
		this.client.enqueue(ChainJobs.class, (chain) -> chain.discard("not needed"));
	}

	@Test
	void aFailureDoesNotKeepOtherJobsFromRunning() {
		assertThatThrownBy(() -> this.client.enqueueAll(List.of(JobRequest.of(new Failing("first")),
				JobRequest.of(new Failing("second")), JobRequest.of(new Welcome("ada")))))
			.hasMessage("first")
			.satisfies((first) -> assertThat(first.getSuppressed()).extracting(Throwable::getMessage)
				.containsExactly("second"));
		assertThat(MailJobs.SENT).hasSize(1);
	}

	@Test
	void whatIsDelayedIsRecorded() {
		this.client.enqueue(JobRequest.of(new Reminder("ada")).after(Duration.ofDays(1)));
		assertThat(MailJobs.SENT).isEmpty();
		this.jobs.advance(Duration.ofDays(1));
		assertThat(this.jobs.drain().done()).isOne();
	}

	@Test
	void jobsThatAreEnqueuedByJobsRunAfterThem() {
		this.client.enqueue(new Again(3));
		assertThat(ChainJobs.RAN).containsExactly("again 3", "again 2", "again 1", "again 0");
	}

	@Test
	void jobsThatADrainedJobEnqueuesRunAfterItInTheDrain() {
		this.client.enqueue(JobRequest.of(new Again(2)).after(Duration.ofHours(1)));
		this.client.enqueue(JobRequest.of(new Failing("of its own")).after(Duration.ofHours(1)));
		this.jobs.advance(Duration.ofHours(1));
		Drained ran = this.jobs.drain(Drain.queues("default"));
		assertThat(ran.runs()).extracting(RunResult::outcome)
			.containsExactlyInAnyOrder(JobOutcome.DONE, JobOutcome.DONE, JobOutcome.DONE, JobOutcome.RETRY);
		assertThat(ChainJobs.RAN).containsExactly("again 2", "again 1", "again 0");
	}

	@Test
	void jobsThatADrainedJobEnqueuesRunWhateverIsDrained() {
		this.client.enqueue(JobRequest.of(new Again(1)).queue("low").after(Duration.ofHours(1)));
		this.jobs.advance(Duration.ofHours(1));
		assertThat(this.jobs.drain(Drain.queues("low")).done()).isEqualTo(2);
		this.client.enqueue(JobRequest.of(new Again(2)).after(Duration.ofHours(1)));
		this.jobs.advance(Duration.ofHours(1));
		assertThat(this.jobs.drain(Drain.everything().atMost(2)).done()).isEqualTo(2);
	}

	@Test
	void jobsThatAJobEnqueuesWhichIsRunAloneRunAfterIt() {
		assertThat(this.jobs.run(JobRequest.of(new Again(2))).outcome()).isEqualTo(JobOutcome.DONE);
		assertThat(ChainJobs.RAN).containsExactly("again 2", "again 1", "again 0");
		assertThat(this.jobs.run(JobRequest.of(new Failing("its own"))).failure()).hasMessage("its own");
		assertThatIllegalArgumentException()
			.isThrownBy(() -> this.jobs.run(JobRequest.of(ChainJobs.class, (chain) -> chain.enqueueFailing("its"))))
			.withMessage("its");
	}

	@Test
	void delayedJobsThatHaveBecomeDueWaitForADrain() {
		this.client.enqueue(JobRequest.of(new Reminder("ada")).after(Duration.ofDays(1)));
		this.client.enqueue(JobRequest.of(new Ordered("ada", 1)).after(Duration.ofDays(1)));
		this.client.enqueue(ChainJobs.class, (chain) -> chain.snooze(true, null));
		assertThatIllegalArgumentException().isThrownBy(() -> this.client.enqueue(new Failing("once")));
		this.jobs.advance(Duration.ofDays(1));
		this.client.enqueue(new Welcome("ada"));
		assertThat(MailJobs.SENT).containsExactly("welcome ada attempt 1 tenant t1");
		assertThat(ChainJobs.RAN).isEmpty();
		Drained ran = this.jobs.drain();
		assertThat(ran.done()).isEqualTo(3);
		assertThat(ran.failed()).isOne();
	}

	@Test
	void jobsThatEnqueueEachOtherForEverAreBounded() {
		assertThatThrownBy(() -> this.client.enqueue(new Again(-1))).isInstanceOf(AssertionError.class)
			.hasMessageContaining("10,000 jobs have run");
	}

	@Test
	void aJobBeforeTheCommitRunsAtOnce() {
		inTransaction(() -> {
			this.client.enqueue(JobRequest.of(new Welcome("ada")).beforeCommit());
			assertThat(MailJobs.SENT).hasSize(1);
		});
	}

	@Test
	void aJobOfACallbackAfterTheCommitRunsInIt() {
		inTransaction(() -> TransactionSynchronizationManager.registerSynchronization(new TransactionSynchronization() {

			@Override
			public void afterCommit() {
				InlineJobsTests.this.client.enqueue(new Welcome("ada"));
				assertThat(MailJobs.SENT).hasSize(1);
			}

		}));
		assertThat(welcomed()).isOne();
	}

	@Test
	void ordersDuplicatesAndForeignJobsAreAsInMemory() {
		this.client.enqueue(new Ordered("ada", 1));
		this.client.enqueue(new Ordered("ada", 2));
		this.client.enqueue(new Elsewhere(1));
		assertThat(ChainJobs.RAN).containsExactly("ada 1", "ada 2");
		assertThat(this.client.cancel(this.client.enqueue(new Welcome("ada")).id())).as("has run").isFalse();
	}

	@Test
	void aPausedContextWorksWhenItIsResumed() {
		this.context.stop();
		this.context.start();
		this.client.enqueue(new Welcome("ada"));
		assertThat(MailJobs.SENT).hasSize(1);
	}

}
