package io.github.steadyjobs.test;

import java.util.ArrayList;
import java.util.List;
import java.util.UUID;

import io.github.steadyjobs.JobRequest;
import io.github.steadyjobs.test.bank.Accounts;
import io.github.steadyjobs.test.bank.Accounts.Account;
import io.github.steadyjobs.test.bank.BankApplication;
import io.github.steadyjobs.test.bank.CarelessCreditJob;
import io.github.steadyjobs.test.bank.CreditJob;
import io.github.steadyjobs.test.bank.Payment;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.platform.testkit.engine.EngineExecutionResults;
import org.junit.platform.testkit.engine.EngineTestKit;

import org.springframework.aop.support.AopUtils;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.context.ApplicationContext;
import org.springframework.test.annotation.DirtiesContext;
import org.springframework.test.context.bean.override.mockito.MockitoSpyBean;
import org.springframework.transaction.annotation.Transactional;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.platform.engine.discovery.DiscoverySelectors.selectClass;
import static org.junit.platform.testkit.engine.EventConditions.event;
import static org.junit.platform.testkit.engine.EventConditions.finishedWithFailure;
import static org.junit.platform.testkit.engine.EventConditions.test;
import static org.junit.platform.testkit.engine.TestExecutionResultConditions.instanceOf;
import static org.junit.platform.testkit.engine.TestExecutionResultConditions.message;

/**
 * Tests for {@link IdempotentJobContract}, which JUnit runs like the tests of an
 * application.
 */
class IdempotentJobContractTests {

	@Test
	@DisplayName("GL-04: a job whose second run changes something fails its test")
	void jobIsIdempotentWhenSecondRunChangesStateFails() {
		run(CarelessCredit.class).testEvents()
			.assertThatEvents()
			.haveExactly(1, event(test("jobIsIdempotent"),
					finishedWithFailure(instanceOf(AssertionError.class),
							message((text) -> text.contains("CarelessCreditJob.perform) is not idempotent. After run 2")
									&& text.contains("  [0].cents: 500, then 1000")))));
	}

	@Test
	void jobIsIdempotentWhenJobIsRepairedPasses() {
		run(Credit.class).testEvents().assertStatistics((tests) -> tests.started(1).succeeded(1));
	}

	@Test
	void jobIsIdempotentWhenConfiguredRunsJobAndVerifiesThatOften() {
		FiveCredits.verified.clear();
		run(FiveCredits.class).testEvents().assertStatistics((tests) -> tests.started(1).succeeded(1));
		assertThat(FiveCredits.verified).containsExactly("1: 500", "2: 500", "3: 500", "4: 500", "5: 500");
	}

	@Test
	@DisplayName("GL-07: a test can add its own checks")
	void jobIsIdempotentWhenOwnAssertionFailsFails() {
		run(WrongAmount.class).testEvents()
			.assertThatEvents()
			.haveExactly(1, event(test("jobIsIdempotent"), finishedWithFailure(instanceOf(AssertionError.class),
					message((text) -> text.contains("after run 1") && text.contains("400")))));
	}

	@Test
	void jobIsIdempotentWhenBeanOfTheJobIsSpyFails() {
		assertRefuses(SpiedJob.class, "Bean 'creditJob' is a mock or spy");
	}

	@Test
	@DisplayName("GL-06: mocks must not hide the effects of a job")
	void jobIsIdempotentWhenRepositoryIsSpyFails() {
		assertRefuses(SpiedRepository.class, "Bean 'accounts' is a mock or spy");
	}

	@Test
	void jobIsIdempotentWhenTestIsTransactionalFails() {
		assertRefuses(TransactionalTest.class, "The test runs in a transaction");
	}

	private static void assertRefuses(Class<?> testClass, String reason) {
		run(testClass).testEvents()
			.assertThatEvents()
			.haveExactly(1, event(test("jobIsIdempotent"),
					finishedWithFailure(instanceOf(AssertionError.class), message((text) -> text.startsWith(reason)))));
	}

	private static EngineExecutionResults run(Class<?> testClass) {
		return EngineTestKit.engine("junit-jupiter").selectors(selectClass(testClass)).execute();
	}

	/**
	 * The common base of the application's test classes.
	 */
	@SpringBootTest(classes = BankApplication.class,
			properties = { "steadyjobs.worker.enabled=false", "steadyjobs.doctor.enabled=false" })
	@DirtiesContext
	abstract static class BankTest implements IdempotentJobContract {

		@Autowired
		Accounts accounts;

		@BeforeEach
		void openAccount() {
			this.accounts.open("Ada");
		}

		@Override
		public List<Account> observe() {
			return this.accounts.findAll();
		}

		long balance() {
			return this.accounts.findAll().get(0).cents();
		}

		static Payment payment() {
			return new Payment(UUID.randomUUID(), "Ada", 500);
		}

	}

	static class CarelessCredit extends BankTest {

		@Override
		public JobRequest request() {
			return JobRequest.of(CarelessCreditJob.class, (job) -> job.perform(payment()));
		}

	}

	static class Credit extends BankTest {

		@Autowired
		CreditJob job;

		@Override
		public JobRequest request() {
			assertThat(AopUtils.isAopProxy(this.job)).isTrue();
			return JobRequest.of(CreditJob.class, (job) -> job.perform(payment()));
		}

	}

	static class FiveCredits extends Credit {

		static final List<String> verified = new ArrayList<>();

		@Override
		public void verify(int run) {
			verified.add(run + ": " + balance());
		}

		@Override
		public IdempotenceCheck configure(IdempotenceCheck check) {
			return check.runs(5);
		}

	}

	static class WrongAmount extends Credit {

		@Override
		public void verify(int run) {
			assertThat(balance()).as("balance after run " + run).isEqualTo(400);
		}

	}

	static class SpiedJob extends BankTest {

		@MockitoSpyBean
		CreditJob job;

		@Override
		public JobRequest request() {
			return JobRequest.of(CreditJob.class, (job) -> job.perform(payment()));
		}

	}

	static class SpiedRepository extends Credit {

		@MockitoSpyBean
		Accounts spied;

	}

	@Transactional
	static class TransactionalTest extends Credit {

		@Override
		@Test
		public void jobIsIdempotent(ApplicationContext context) throws Exception {
			super.jobIsIdempotent(context);
		}

	}

}
