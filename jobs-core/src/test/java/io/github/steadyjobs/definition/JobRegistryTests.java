package io.github.steadyjobs.definition;

import java.util.List;
import java.util.Map;
import java.util.UUID;

import io.github.steadyjobs.InvalidJobException;
import io.github.steadyjobs.Job;
import io.github.steadyjobs.JobContext;
import io.github.steadyjobs.JobType;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * Tests for {@link JobRegistry}: finding a job by name, by argument and by call.
 */
class JobRegistryTests {

	private static final JobsContext context = JobsContext.withSettings(
			Map.of("invoice.remote", JobSettings.NONE.with("queue", "slow").with("retries", "7")), Jobs.class,
			One.class, Two.class, Bridged.class);

	private final JobRegistry registry = context.registry();

	@AfterAll
	static void close() {
		context.close();
	}

	@Test
	void findWhenNameIsUnknownIsEmpty() {
		assertThat(this.registry.find("nobody")).isNull();
	}

	@Test
	void forArgumentWhenOneJobTakesTypeFindsIt() {
		assertThat(this.registry.forArgument(Send.class).name()).isEqualTo("Jobs.send");
	}

	@Test
	void forArgumentWhenParameterIsPrimitiveTakesItsWrapper() {
		assertThat(this.registry.forArgument(Long.class).name()).isEqualTo("Jobs.count");
	}

	@Test
	void forArgumentWhenConstantHasBodyTakesItsEnum() {
		assertThat(this.registry.forArgument(State.NEW.getClass()).name()).isEqualTo("Jobs.state");
	}

	@Test
	void forArgumentWhenNoJobTakesTypeSaysSo() {
		assertThatExceptionOfType(InvalidJobException.class).isThrownBy(() -> this.registry.forArgument(UUID.class))
			.withMessageStartingWith("No job takes a single argument of type java.util.UUID.")
			.withMessageContaining("@JobType");
	}

	@Test
	void forArgumentWhenJobTakesSuperclassNamesIt() {
		assertThatExceptionOfType(InvalidJobException.class).isThrownBy(() -> this.registry.forArgument(Child.class))
			.withMessageContaining("Job 'Jobs.parent' takes " + Parent.class.getName() + ", which is above it");
	}

	@Test
	void forArgumentWhenSeveralJobsTakeTypeNamesThem() {
		assertThatExceptionOfType(InvalidJobException.class).isThrownBy(() -> this.registry.forArgument(Shared.class))
			.withMessageContaining("'Jobs.first', 'Jobs.second'");
	}

	@Test
	void forArgumentWhenTypeNamesOneOfSeveralJobsFindsIt() {
		assertThat(this.registry.forArgument(Chosen.class).method()).isNotNull()
			.returns("chosenTwo", (method) -> method.getName());
	}

	@Test
	void forArgumentWhenTypeNamesJobElsewhereDefinesItWithoutBean() {
		JobDefinition job = this.registry.forArgument(Remote.class);
		assertThat(job.name()).isEqualTo("invoice.remote");
		assertThat(job.queue()).isEqualTo("slow");
		assertThat(job.retry().retries()).isEqualTo(7);
		assertThat(job.hasBean()).isFalse();
		assertThat(job.method()).isNull();
		assertThat(job.beanType()).isNull();
		job.parameters().check(job.name(), List.of(new Remote(1.5)));
		assertThatExceptionOfType(InvalidJobException.class)
			.isThrownBy(() -> job.parameters().check(job.name(), List.of(new Remote(Double.NaN))))
			.withMessageContaining("Job 'invoice.remote' cannot be stored: args[0].amount is NaN");
	}

	@Test
	void forArgumentWhenJobTypeIsWrongRefuses() {
		assertThatExceptionOfType(InvalidJobException.class).isThrownBy(() -> this.registry.forArgument(BadType.class))
			.withMessageContaining("has queue = 'a b'");
	}

	@Test
	void forCallWhenMethodIsOfBeanFindsIt() throws Exception {
		assertThat(this.registry.forCall(Jobs.class, Jobs.class.getDeclaredMethod("send", Send.class, JobContext.class))
			.name()).isEqualTo("Jobs.send");
	}

	@Test
	void forCallWhenMethodIsOfInterfaceFindsBean() throws Exception {
		JobDefinition job = this.registry.forCall(Handler.class,
				Handler.class.getDeclaredMethod("handle", Object.class));
		assertThat(job.name()).isEqualTo("Bridged.handle");
		assertThat(job.hasBean()).isTrue();
	}

	@Test
	void forCallWhenSeveralBeansHaveMethodNamesThem() throws Exception {
		assertThatExceptionOfType(InvalidJobException.class)
			.isThrownBy(() -> this.registry.forCall(Base.class, Base.class.getDeclaredMethod("work")))
			.withMessageContaining("'One.work', 'Two.work'");
		assertThat(this.registry.forCall(One.class, Base.class.getDeclaredMethod("work")).name()).isEqualTo("One.work");
	}

	@Test
	void forCallWhenMethodIsNoJobRefuses() {
		assertThatExceptionOfType(InvalidJobException.class)
			.isThrownBy(() -> this.registry.forCall(Jobs.class, Jobs.class.getDeclaredMethod("helper")))
			.withMessage(
					Jobs.class.getName() + ".helper is not a job. Put @Job on the method, or call one that has it.");
	}

	@Test
	void forCallWhenClassIsNoBeanDefinesItByAnnotation() throws Exception {
		JobDefinition job = this.registry.forCall(Elsewhere.class, Elsewhere.class.getDeclaredMethod("run"));
		assertThat(job.name()).isEqualTo("Elsewhere.run");
		assertThat(job.queue()).isEqualTo("far");
		assertThat(job.hasBean()).isFalse();
		assertThat(this.registry.find("Elsewhere.run")).isNull();
	}

	@Test
	void forCallWhenInterfaceHasNoBeanNeedsName() throws Exception {
		assertThatExceptionOfType(InvalidJobException.class)
			.isThrownBy(() -> this.registry.forCall(Unnamed.class, Unnamed.class.getDeclaredMethod("run")))
			.withMessageContaining("Set @Job(name");
		assertThat(this.registry.forCall(Named.class, Named.class.getDeclaredMethod("run")).name()).isEqualTo("named");
	}

	@Test
	void forCallWhenClassWithoutBeanHasMistakeRefuses() {
		assertThatExceptionOfType(InvalidJobException.class)
			.isThrownBy(() -> this.registry.forCall(Wrong.class, Wrong.class.getDeclaredMethod("run", Object.class)))
			.withMessageContaining("args[0] is of type java.lang.Object");
	}

	record Send(String to) {

	}

	record Shared(String text) {

	}

	@JobType("chosen.two")
	record Chosen(String text) {

	}

	@JobType(value = "invoice.remote", queue = "far")
	record Remote(double amount) {

	}

	@JobType(value = "bad", queue = "a b")
	record BadType(double amount) {

	}

	static class Parent {

		public String name = "";

	}

	static class Child extends Parent {

	}

	enum State {

		NEW {
			@Override
			public String toString() {
				return "new";
			}
		}

	}

	static class Jobs {

		@Job
		void send(Send send, JobContext context) {
		}

		@Job
		void count(long count) {
		}

		@Job
		void state(State state) {
		}

		@Job
		void parent(Parent parent) {
		}

		@Job
		void first(Shared shared) {
		}

		@Job
		void second(Shared shared) {
		}

		@Job(name = "chosen.one")
		void chosenOne(Chosen chosen) {
		}

		@Job(name = "chosen.two")
		void chosenTwo(Chosen chosen) {
		}

		void helper() {
		}

	}

	abstract static class Base {

		@Job
		void work() {
		}

	}

	static class One extends Base {

	}

	static class Two extends Base {

	}

	interface Handler<T> {

		void handle(T value);

	}

	static class Bridged implements Handler<String> {

		@Override
		@Job
		public void handle(String value) {
		}

	}

	static class Elsewhere {

		@Job(queue = "far")
		void run() {
		}

	}

	interface Unnamed {

		@Job
		void run();

	}

	interface Named {

		@Job(name = "named")
		void run();

	}

	static class Wrong {

		@Job
		void run(Object anything) {
		}

	}

}
