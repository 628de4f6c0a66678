package io.github.steadyjobs.boot;

import java.util.List;
import java.util.Map;

import io.github.steadyjobs.Job;
import io.github.steadyjobs.Sequential;
import io.github.steadyjobs.arguments.JobJson;
import io.github.steadyjobs.definition.IdempotenceDefaults;
import io.github.steadyjobs.definition.JobRegistry;
import io.github.steadyjobs.server.Capsule;
import io.github.steadyjobs.server.FetchFilter;
import io.github.steadyjobs.server.QueueSelector;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

import org.springframework.beans.factory.support.DefaultListableBeanFactory;
import org.springframework.beans.factory.support.RootBeanDefinition;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * Tests for {@link CapsulePlan} (SK-04).
 */
@ExtendWith(OutputCaptureExtension.class)
class CapsulePlanTests {

	@Test
	@DisplayName("SK-04, LK-33: by default, ten workers serve the queues of all jobs")
	void capsulesWhenNothingIsConfiguredMakesDefaultOfTheQueuesOfJobs(CapturedOutput output) {
		assertThat(plan(Bound.properties())).extracting(CapsulePlanTests::text)
			.containsExactly("default 10 WEIGHTED default,1 mail,1 reports,1");
		assertThat(output).doesNotContain("CapsulePlan");
	}

	@Test
	void capsulesWhenThereIsNoJobMakesDefaultOfTheDefaultQueue() {
		assertThat(planOf(Bound.properties(), registry()).capsules()).extracting(CapsulePlanTests::text)
			.containsExactly("default 10 WEIGHTED default,1");
	}

	@Test
	void capsulesWhenQueuesAreConfiguredAddsThemWithTheirWeights() {
		assertThat(plan(Bound.yaml("steadyjobs: { queues: { critical: { weight: 6 }, mail: { weight: 3 } } }")))
			.extracting(CapsulePlanTests::text)
			.containsExactly("default 10 WEIGHTED critical,6 mail,3 default,1 reports,1");
	}

	@Test
	@DisplayName("SK-05: capsules are created from the settings")
	void capsulesWhenDefaultHasNoListServesWhatNoOtherNames() {
		assertThat(plan(Bound.yaml("""
				steadyjobs:
				  capsules:
				    default: { concurrency: 3, order: random }
				    reports: { concurrency: 1, queues: [reports], order: strict }
				"""))).extracting(CapsulePlanTests::text)
			.containsExactly("default 3 RANDOM default,1 mail,1", "reports 1 STRICT reports,1");
	}

	@Test
	void capsulesWhenDefaultIsMissingAddsIt() {
		assertThat(plan(Bound.properties("steadyjobs.capsules.mails.queues=mail"))).extracting(CapsulePlanTests::text)
			.containsExactly("default 10 WEIGHTED default,1 reports,1", "mails 10 WEIGHTED mail,1");
	}

	@Test
	void capsulesWhenDefaultIsMissingAndDeathComesTooSoonForItSaysWhatToSet() {
		String[] soon = { "steadyjobs.liveness.beat=50ms", "steadyjobs.liveness.death-after=200ms",
				"steadyjobs.capsules.mails.queues=mail", "steadyjobs.capsules.mails.claim-ahead=1ms" };
		assertThatExceptionOfType(JobsPropertyException.class).isThrownBy(() -> plan(Bound.properties(soon)))
			.withMessageStartingWith("'steadyjobs.capsules.default.claim-ahead' is 'PT0.005S'. Set it to less than a "
					+ "fortieth of 'steadyjobs.liveness.death-after', which is 'PT0.2S'");
		soon[2] = "steadyjobs.capsules.mails.queues=mail,reports,default";
		assertThat(plan(Bound.properties(soon))).hasSize(1);
	}

	@Test
	void capsulesWhenAllQueuesAreTakenMakesNoDefault(CapturedOutput output) {
		assertThat(plan(Bound.properties("steadyjobs.capsules.all.queues=mail,reports,default",
				"steadyjobs.capsules.default.concurrency=3")))
			.extracting(CapsulePlanTests::text)
			.containsExactly("all 10 WEIGHTED mail,1 reports,1 default,1");
		assertThat(output).doesNotContain("CapsulePlan");
	}

	@Test
	void capsulesWhenDefaultHasAListKeepsToItAndSaysSo(CapturedOutput output) {
		assertThat(plan(Bound.properties("steadyjobs.capsules.default.queues=mail,4,default")))
			.extracting(CapsulePlanTests::text)
			.containsExactly("default 10 WEIGHTED mail,4 default,1");
		assertThat(output).contains("Jobs of the queues [reports] do not run in this process: no capsule lists these "
				+ "queues, and 'steadyjobs.capsules.default.queues' keeps the capsule 'default' to others");
	}

	@Test
	void capsulesWhenListHasAWeightItGoesBeforeThatOfTheQueue() {
		assertThat(plan(Bound.yaml("""
				steadyjobs:
				  queues: { mail: { weight: 2 }, reports: { weight: 5 } }
				  capsules: { default: { queues: ['mail,9', reports, default] } }
				"""))).extracting(CapsulePlanTests::text)
			.containsExactly("default 10 WEIGHTED mail,9 reports,5 default,1");
	}

	@Test
	void capsulesWhenOneQueueIsInTwoServesItInBothAndSaysSo(CapturedOutput output) {
		assertThat(plan(Bound.properties("steadyjobs.capsules.a.queues=mail,default",
				"steadyjobs.capsules.b.queues=mail,reports")))
			.extracting(CapsulePlanTests::text)
			.containsExactly("a 10 WEIGHTED mail,1 default,1", "b 10 WEIGHTED mail,1 reports,1");
		assertThat(output).contains("The capsules 'a' and 'b' both serve the queue 'mail', so its jobs get workers of "
				+ "both. If that is not intended, remove it from 'steadyjobs.capsules.a.queues' or from "
				+ "'steadyjobs.capsules.b.queues'");
		assertThat(output.toString().lines()).filteredOn((line) -> line.contains("CapsulePlan")).hasSize(1);
	}

	@Test
	void capsulesWhenQueueIsUnknownSaysWhatToType(CapturedOutput output) {
		plan(Bound.properties("steadyjobs.capsules.mails.queues=mail,mial"));
		assertThat(output).contains("Capsule 'mails' serves the queue 'mial', which neither 'steadyjobs.queues' nor a "
				+ "@Job of this application names. If other applications fill it, set 'steadyjobs.queues.mial.weight' "
				+ "to say so; otherwise correct 'steadyjobs.capsules.mails.queues'. Known are: default, mail, reports");
		assertThat(output.toString().lines()).filteredOn((line) -> line.contains("CapsulePlan")).hasSize(1);
	}

	@Test
	void capsulesWhenUnknownQueueIsDeclaredIsSilent(CapturedOutput output) {
		plan(Bound.properties("steadyjobs.capsules.mails.queues=mail,foreign", "steadyjobs.queues.foreign.weight=1"));
		assertThat(output).doesNotContain("CapsulePlan");
	}

	@Test
	void capsulesWhenAskedAgainAnswersTheSame() {
		CapsulePlan plan = planOf(Bound.properties(), registry(MailJobs.class));
		assertThat(plan.capsules()).isSameAs(plan.capsules());
	}

	@Test
	void capsulesWhenJobIsMovedByConfigurationServesItsNewQueue() {
		JobsProperties properties = Bound.properties("steadyjobs.jobs.MailJobs.send.queue=express");
		assertThat(planOf(properties, registry(properties, MailJobs.class)).capsules())
			.extracting(CapsulePlanTests::text)
			.containsExactly("default 10 WEIGHTED default,1 express,1");
	}

	@Test
	void capsulesWhenJobIsOrderedServeItsShards() {
		JobsProperties properties = Bound.properties("steadyjobs.queues.orders.weight=4",
				"steadyjobs.jobs.OrderJobs.handle.shards=3");
		assertThat(planOf(properties, registry(properties, OrderJobs.class, MailJobs.class)).capsules()).singleElement()
			.extracting(Capsule::queues)
			.isEqualTo(List.of(Capsule.Queue.inParts("orders", 4, 3, 1), new Capsule.Queue("default", 1),
					new Capsule.Queue("mail", 1)));
	}

	@Test
	void capsulesWhenQueueOfOrderedJobRunsAtMostOnceSaysWhatToType() {
		JobsProperties properties = Bound.properties("steadyjobs.queues.orders.delivery=at-most-once",
				"steadyjobs.queues.mail.delivery=at-most-once");
		assertThatExceptionOfType(JobsPropertyException.class)
			.isThrownBy(() -> planOf(properties, registry(OrderJobs.class, MailJobs.class)).capsules())
			.withMessage(
					"'steadyjobs.queues.orders.delivery' is 'at-most-once'. Remove it: job 'OrderJobs.handle' is @Sequential, and its payloads gather until they are done, so they run at least once.");
	}

	@Test
	void capsulesWhenQueueHasTheNameOfAJobFindsItsSettingsInBrackets() {
		JobsProperties properties = Bound.properties("steadyjobs.queues[OrdinaryOrderJobs.handle].weight=3");
		assertThat(planOf(properties, registry(OrdinaryOrderJobs.class)).capsules()).extracting(CapsulePlanTests::text)
			.containsExactly("default 10 WEIGHTED OrdinaryOrderJobs.handle,3");
	}

	@Test
	@DisplayName("SK-33: a capsule can name the bean that selects its queues")
	void capsulesWhenOrderIsABeanTakesThat() {
		JobsProperties properties = Bound.properties("steadyjobs.capsules.mails.queues=mail",
				"steadyjobs.capsules.mails.order=nightFirst");
		QueueSelector selector = (capsule, queues) -> queues.get(0);
		FetchFilter filter = (capsule, queue) -> true;
		CapsulePlan plan = new CapsulePlan(properties, registry(MailJobs.class),
				Map.of("nightFirst", selector, "other", (capsule, queues) -> null), List.of(filter));
		assertThat(plan.capsules()).extracting(Capsule::rules)
			.containsExactly(new Capsule.Rules(null, List.of(filter)), new Capsule.Rules(selector, List.of(filter)));
	}

	@Test
	void capsulesWhenOrderIsNeitherBuiltInNorABeanSaysWhatThereIs() {
		JobsProperties properties = Bound.properties("steadyjobs.capsules.default.order=wieghted");
		assertThatExceptionOfType(JobsPropertyException.class)
			.isThrownBy(() -> planOf(properties, registry(MailJobs.class)).capsules())
			.withMessage("'steadyjobs.capsules.default.order' is 'wieghted'. Use 'weighted', 'strict', 'random', "
					+ "'round-robin' or 'lag', or the name of a QueueSelector bean. There is no such bean.");
		assertThatExceptionOfType(JobsPropertyException.class)
			.isThrownBy(() -> new CapsulePlan(properties, registry(MailJobs.class),
					Map.of("nightFirst", (capsule, queues) -> null), List.of())
				.capsules())
			.withMessageEndingWith("There are 'nightFirst'.");
	}

	private static CapsulePlan planOf(JobsProperties properties, JobRegistry registry) {
		return new CapsulePlan(properties, registry, Map.of(), List.of());
	}

	private static List<Capsule> plan(JobsProperties properties) {
		return planOf(properties, registry(MailJobs.class, ReportJobs.class)).capsules();
	}

	private static JobRegistry registry(Class<?>... beans) {
		return registry(Bound.properties(), beans);
	}

	private static JobRegistry registry(JobsProperties properties, Class<?>... beans) {
		DefaultListableBeanFactory beanFactory = new DefaultListableBeanFactory();
		for (Class<?> bean : beans) {
			beanFactory.registerBeanDefinition(bean.getName(), new RootBeanDefinition(bean));
		}
		return new JobRegistry(beanFactory, JobOverrides.jobs(properties.jobs()), IdempotenceDefaults.STANDARD,
				JobJson.builder().build());
	}

	private static String text(Capsule capsule) {
		StringBuilder text = new StringBuilder(
				capsule.name() + " " + capsule.concurrency() + " " + capsule.order().name());
		capsule.queues().forEach((queue) -> text.append(" ").append(queue.name()).append(",").append(queue.weight()));
		return text.toString();
	}

	static class MailJobs {

		@Job(queue = "mail")
		void send(String to) {
		}

		@Job
		void sweep() {
		}

	}

	static class OrderJobs {

		@Job(queue = "orders")
		@Sequential(key = "#id")
		void handle(String id) {
		}

	}

	static class OrdinaryOrderJobs {

		@Job
		@Sequential(key = "#id")
		void handle(String id) {
		}

	}

	static class ReportJobs {

		@Job(queue = "reports")
		void write(long id) {
		}

	}

}
