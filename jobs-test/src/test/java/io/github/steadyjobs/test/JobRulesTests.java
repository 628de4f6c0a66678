package io.github.steadyjobs.test;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import java.util.List;

import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.lang.ArchRule;
import io.github.steadyjobs.Idempotent;
import io.github.steadyjobs.Job;
import io.github.steadyjobs.NotIdempotent;
import io.github.steadyjobs.Recurring;
import io.github.steadyjobs.Sequential;
import io.github.steadyjobs.test.bank.BankApplication;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.platform.testkit.engine.EngineTestKit;

import org.springframework.core.annotation.AliasFor;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.platform.engine.discovery.DiscoverySelectors.selectClass;

/**
 * Tests for {@link JobRules}.
 */
class JobRulesTests {

	@Test
	void declareIdempotenceWhenAllIsDeclaredPasses() {
		assertThat(violations(Declared.class, DeclaredByClass.class, DeclaredByMeta.class, ClassJob.class,
				MetaClassJob.class, Heir.class, DeclaredBase.class, MethodHeir.class, Template.class, TemplateJob.class,
				OtherwiseOnOverride.class, DeclaredOnInterface.class, NoJobs.class, AllInOne.class, SafeJob.class,
				Unsafe.class))
			.isEmpty();
	}

	@Test
	void declareIdempotenceIsForTheTestsOfApplications() {
		EngineTestKit.engine("archunit")
			.selectors(selectClass(BankArchitecture.class))
			.execute()
			.testEvents()
			.assertStatistics((tests) -> tests.started(1).succeeded(1));
	}

	@Test
	@DisplayName("GL-09: the build refuses a job without a declaration")
	void declareIdempotenceWhenMethodIsUndeclaredNamesItAndWhatToType() {
		assertThat(violations(Undeclared.class)).singleElement()
			.asString()
			.startsWith(Undeclared.class.getName() + ".send is a @Job and does not say what a second run does. "
					+ "Put @Idempotent beside @Job if that changes nothing more, or @NotIdempotent(\"why")
			.endsWith("(JobRulesTests.java:0)");
	}

	@Test
	void declareIdempotenceWhenClassJobIsUndeclaredNamesIt() {
		assertThat(violations(UndeclaredClassJob.class)).singleElement()
			.asString()
			.startsWith(UndeclaredClassJob.class.getName() + ".perform is a @Job");
	}

	@Test
	void declareIdempotenceWhenMetaAnnotatedJobIsUndeclaredNamesIt() {
		assertThat(violations(UndeclaredMeta.class)).singleElement()
			.asString()
			.startsWith(UndeclaredMeta.class.getName() + ".send is a @Job");
	}

	@Test
	void declareIdempotenceWhenJobIsSequentialIsContent() {
		assertThat(violations(Ordered.class, OrderedClassJob.class)).isEmpty();
		assertThat(violations(OrderedBesides.class)).singleElement()
			.asString()
			.startsWith(OrderedBesides.class.getName() + ".send is a @Job and does not say");
	}

	@Test
	void declareIdempotenceWhenSequentialJobIsIdempotentTooNamesIt() {
		assertThat(violations(OrderedAndIdempotent.class)).singleElement()
			.asString()
			.startsWith(OrderedAndIdempotent.class.getName()
					+ ".send is both @Sequential and @Idempotent. Remove @Idempotent");
	}

	@Test
	void declareIdempotenceWhenOnlySuperclassIsDeclaredNamesTheClassBelow() {
		assertThat(violations(UndeclaredHeir.class)).singleElement()
			.asString()
			.startsWith(UndeclaredHeir.class.getName() + ".send is a @Job");
	}

	@Test
	void declareIdempotenceWhenClassIsNoBeanNamesItsDeclaration() {
		assertThat(violations(AbstractDeclared.class)).singleElement()
			.asString()
			.startsWith(AbstractDeclared.class.getName() + " is no bean, and what it says does not count");
	}

	@Test
	void declareIdempotenceWhenMethodIsNoJobNamesIt() {
		assertThat(violations(NoJobMethod.class)).singleElement()
			.asString()
			.startsWith(NoJobMethod.class.getName() + ".send declares a job, but is not one");
	}

	@Test
	void declareIdempotenceWhenClassHasNoJobsNamesIt() {
		assertThat(violations(NoJobClass.class)).singleElement()
			.asString()
			.startsWith(NoJobClass.class.getName() + " declares its jobs, but has none");
	}

	@Test
	void declareIdempotenceWhenBothAreSaidNamesThePlace() {
		assertThat(violations(Both.class, BothOnClass.class)).satisfiesExactlyInAnyOrder(
				(text) -> assertThat(text).startsWith(Both.class.getName()
						+ ".send says both @Idempotent and @NotIdempotent. Remove one from the method."),
				(text) -> assertThat(text).startsWith(BothOnClass.class.getName()
						+ " says both @Idempotent and @NotIdempotent. Remove one from the class."));
	}

	@Test
	void declareIdempotenceWhenReasonIsEmptyNamesThePlace() {
		assertThat(violations(NoReason.class, NoReasonOnClass.class, NoReasonInMeta.class)).hasSize(3)
			.allSatisfy((text) -> assertThat(text).contains(" says @NotIdempotent and not why. Give the reason"));
	}

	@Test
	void recurringJobsDeclareIdempotenceWhenAllAreDeclaredPasses() {
		assertThat(recurring(Undeclared.class, Nightly.class, NightlyClass.class, NightlyHeir.class,
				RecurringPerform.class))
			.isEmpty();
	}

	@Test
	void recurringJobsDeclareIdempotenceWhenOneIsUndeclaredNamesItAndWhatToType() {
		assertThat(recurring(Sweeps.class, SweepsClass.class)).satisfiesExactlyInAnyOrder(
				(text) -> assertThat(text)
					.startsWith(
							Sweeps.class.getName() + ".often is @Recurring and does not say what a second run does. "
									+ "Put @Idempotent beside @Job")
					.endsWith("(JobRulesTests.java:0)"),
				(text) -> assertThat(text).startsWith(Sweeps.class.getName() + ".twice is @Recurring and does not say"),
				(text) -> assertThat(text)
					.startsWith(SweepsClass.class.getName() + ".perform is @Recurring and does not say"));
	}

	@Test
	void recurringJobsDeclareIdempotenceWhenReasonIsMissingOrBothAreSaidNamesThem() {
		assertThat(recurring(Doubtful.class)).satisfiesExactlyInAnyOrder(
				(text) -> assertThat(text)
					.startsWith(Doubtful.class.getName() + ".both is @Recurring and says both @Idempotent and"),
				(text) -> assertThat(text)
					.startsWith(Doubtful.class.getName() + ".mute is @Recurring, says @NotIdempotent and not why"));
	}

	@Test
	void recurringJobsDeclareIdempotenceWhenThereIsNoJobNamesThePlace() {
		assertThat(recurring(NoJobRecurs.class, NoJobClassRecurs.class)).satisfiesExactlyInAnyOrder(
				(text) -> assertThat(text)
					.startsWith(NoJobRecurs.class.getName() + ".sweep has @Recurring but no @Job. Put @Job"),
				(text) -> assertThat(text)
					.startsWith(NoJobClassRecurs.class.getName() + " has @Recurring but no @Job on the class."));
	}

	private static List<String> recurring(Class<?>... types) {
		return JobRules.RECURRING_JOBS_DECLARE_IDEMPOTENCE.evaluate(new ClassFileImporter().importClasses(types))
			.getFailureReport()
			.getDetails();
	}

	private static List<String> violations(Class<?>... types) {
		return JobRules.DECLARE_IDEMPOTENCE.evaluate(new ClassFileImporter().importClasses(types))
			.getFailureReport()
			.getDetails();
	}

	@AnalyzeClasses(packagesOf = BankApplication.class)
	static class BankArchitecture {

		@ArchTest
		static final ArchRule idempotence = JobRules.DECLARE_IDEMPOTENCE;

	}

	@Job
	@Target(ElementType.METHOD)
	@Retention(RetentionPolicy.RUNTIME)
	@interface MailJob {

	}

	@Job
	@Idempotent
	@Target(ElementType.TYPE)
	@Retention(RetentionPolicy.RUNTIME)
	@interface SafeJob {

	}

	@NotIdempotent("")
	@Target(ElementType.METHOD)
	@Retention(RetentionPolicy.RUNTIME)
	@interface Unsafe {

		@AliasFor(annotation = NotIdempotent.class, attribute = "value")
		String because();

	}

	static class Declared {

		@Job
		@Idempotent
		void send() {
		}

		@Job
		@NotIdempotent("sends mail; people are asked first")
		void sendAgain() {
		}

	}

	@Idempotent
	static class DeclaredByClass {

		@Job
		void send() {
		}

		@Job
		@NotIdempotent("posts money; guarded by the ledger")
		void post() {
		}

	}

	static class DeclaredByMeta {

		@MailJob
		@Unsafe(because = "the mailbox sorts it out")
		void send() {
		}

	}

	@Job
	@Idempotent
	static class ClassJob {

		public void perform() {
		}

	}

	@SafeJob
	static class MetaClassJob {

		public void perform() {
		}

	}

	abstract static class Base {

		@Job
		void send() {
		}

	}

	@Idempotent
	static class Heir extends Base {

	}

	abstract static class DeclaredBase {

		@Job
		@Idempotent
		void send() {
		}

	}

	static class MethodHeir extends DeclaredBase {

	}

	static class OtherwiseOnOverride extends DeclaredBase {

		@Override
		@NotIdempotent("another way of sending")
		void send() {
		}

	}

	abstract static class Template {

		@Idempotent
		public abstract void perform();

	}

	@Job
	static class TemplateJob extends Template {

		@Override
		public void perform() {
		}

	}

	interface Sender {

		@Job
		@Idempotent
		void send();

	}

	static class DeclaredOnInterface implements Sender {

		@Override
		public void send() {
		}

	}

	static class NoJobs {

		void send() {
		}

	}

	@SafeJob
	static class AllInOne {

		public void perform() {
		}

		@Job
		void send() {
		}

	}

	static class Undeclared {

		@Job
		void send() {
		}

	}

	@Job
	static class UndeclaredClassJob {

		public void perform() {
		}

	}

	static class UndeclaredMeta {

		@MailJob
		void send() {
		}

	}

	@Idempotent
	abstract static class AbstractDeclared {

		@Job
		void send() {
		}

	}

	static class UndeclaredHeir extends AbstractDeclared {

	}

	static class NoJobMethod {

		@Idempotent
		void send() {
		}

	}

	@Idempotent
	static class NoJobClass {

		void send() {
		}

	}

	static class Both {

		@Job
		@Idempotent
		@NotIdempotent("who knows")
		void send() {
		}

	}

	@Idempotent
	@NotIdempotent("who knows")
	static class BothOnClass {

		@Job
		void send() {
		}

	}

	static class NoReason {

		@Job
		@NotIdempotent(" ")
		void send() {
		}

	}

	@NotIdempotent("")
	static class NoReasonOnClass {

		@Job
		void send() {
		}

	}

	static class NoReasonInMeta {

		@Job
		@Unsafe(because = "")
		void send() {
		}

	}

	static class Ordered {

		@Job
		@Sequential(key = "#p0")
		void send(String to) {
		}

		@Job
		@NotIdempotent("sends a mail")
		@Sequential(key = "#p0")
		void sendOnce(String to) {
		}

	}

	@Job
	@Sequential(key = "#p0")
	static class OrderedClassJob {

		public void perform(String to) {
		}

	}

	@Job
	@Sequential(key = "#p0")
	static class OrderedBesides {

		public void perform(String to) {
		}

		@Job
		void send(String to) {
		}

	}

	@Idempotent
	static class OrderedAndIdempotent {

		@Job
		@Sequential(key = "#p0")
		void send(String to) {
		}

	}

	static class Nightly {

		@Job
		@Idempotent
		@Recurring(name = "early", cron = "0 0 3 * * *")
		@Recurring(name = "late", cron = "0 0 23 * * *")
		void sweep() {
		}

		@Job
		@NotIdempotent("a second mail does no harm")
		@Recurring(cron = "@weekly")
		void remind() {
		}

		@Job
		void byHand() {
		}

	}

	@Job
	@Idempotent
	@Recurring(every = "1h")
	static class NightlyClass {

		public void perform() {
		}

		@Job
		void send() {
		}

	}

	@Job
	@NotIdempotent("a test")
	static class RecurringPerform {

		@Recurring(every = "1d")
		public void perform() {
		}

	}

	abstract static class RecurringBase {

		@Job
		@Recurring(every = "1h")
		void sweep() {
		}

	}

	@Idempotent
	static class NightlyHeir extends RecurringBase {

	}

	static class Sweeps {

		@Job
		@Recurring(every = "10m")
		void often() {
		}

		@Job
		@Recurring(name = "a", every = "10m")
		@Recurring(name = "b", every = "20m")
		void twice() {
		}

	}

	@Job
	@Recurring(every = "1h")
	static class SweepsClass {

		public void perform() {
		}

	}

	static class Doubtful {

		@Job
		@Idempotent
		@NotIdempotent("who knows")
		@Recurring(every = "1h")
		void both() {
		}

		@Job
		@NotIdempotent("")
		@Recurring(every = "1h")
		void mute() {
		}

	}

	static class NoJobRecurs {

		@Recurring(every = "1h")
		void sweep() {
		}

	}

	@Recurring(every = "1h")
	static class NoJobClassRecurs {

		@Job
		@Idempotent
		void sweep() {
		}

	}

}
