package io.github.steadyjobs.client;

import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicReference;

import io.github.steadyjobs.InvalidJobException;
import io.github.steadyjobs.Job;
import io.github.steadyjobs.JobCall;
import io.github.steadyjobs.JobContext;
import io.github.steadyjobs.JobRequest.Called;
import io.github.steadyjobs.Sequential;
import io.github.steadyjobs.arguments.JobJson;
import io.github.steadyjobs.definition.IdempotenceDefaults;
import io.github.steadyjobs.definition.JobRegistry;
import org.assertj.core.api.ThrowableAssertAlternative;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;

import org.springframework.context.annotation.AnnotationConfigApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

/**
 * Tests for {@link CallRecorder}.
 */
class CallRecorderTests {

	private static final AnnotationConfigApplicationContext context = new AnnotationConfigApplicationContext(
			Beans.class);

	private static final JobRegistry registry = new JobRegistry(context.getBeanFactory(), Map.of(),
			IdempotenceDefaults.STANDARD, JobJson.builder().build());

	private final CallRecorder recorder = new CallRecorder(registry);

	@AfterAll
	static void close() {
		context.close();
	}

	@Test
	void recordWhenMethodIsCalledTakesJobAndArguments() {
		CallRecorder.Call call = record(Mails.class, (mails) -> mails.send("a", 5));
		assertThat(call.definition().name()).isEqualTo("Mails.send");
		assertThat(call.arguments()).containsExactly("a", 5L);
	}

	@Test
	void recordWhenMethodIsProtectedOrReturnsPrimitiveTakesIt() {
		assertThat(record(Mails.class, (mails) -> assertThat(mails.count("a")).isZero()).arguments())
			.containsExactly("a");
	}

	@Test
	void recordWhenMethodTakesContextDropsIt() {
		assertThat(record(Mails.class, (mails) -> mails.withContext("a", JobContext.none())).arguments())
			.containsExactly("a");
		assertThat(record(Mails.class, (mails) -> mails.withContext("a", null)).arguments()).containsExactly("a");
	}

	@Test
	void recordWhenContextIsRealRefuses() {
		JobContext real = (JobContext) java.lang.reflect.Proxy.newProxyInstance(getClass().getClassLoader(),
				new Class<?>[] { JobContext.class }, (proxy, method, args) -> null);
		assertRefused(Mails.class, (mails) -> mails.withContext("a", real)).withMessageContaining("JobContext.none()");
	}

	@Test
	void recordWhenArgumentIsNullKeepsIt() {
		assertThat(record(Mails.class, (mails) -> mails.send(null, 1)).arguments()).containsExactly(null, 1L);
	}

	@Test
	void recordWhenMethodIsInheritedNamesItByTheClassAskedFor() {
		CallRecorder.Call call = record(Child.class, (child) -> child.handle("a"));
		assertThat(call.definition().name()).isEqualTo("Child.handle");
	}

	@Test
	void recordWhenNothingIsCalledSaysSo() {
		assertRefused(Mails.class, (mails) -> {
		}).withMessageContaining("calls no method that could be recorded");
	}

	@Test
	void recordWhenSeveralMethodsAreCalledNamesThem() {
		assertRefused(Mails.class, (mails) -> {
			mails.send("a", 1);
			mails.count("b");
		}).withMessageContainingAll("makes 2 jobs", "Mails.send", "Mails.count");
	}

	@Test
	void recordWhenMethodIsNoJobSaysSo() {
		assertRefused(Mails.class, Mails::helper).withMessageContaining("Mails.helper is not a job");
	}

	@Test
	void recordWhenMethodTakesAllPayloadsOfAKeySaysToEnqueueOne() {
		assertThat(record(Ordered.class, (ordered) -> ordered.one("a")).arguments()).containsExactly("a");
		assertRefused(Ordered.class, (ordered) -> ordered.gathered(List.of(1))).withMessage(
				"Job 'Ordered.gathered' cannot be enqueued by a call, because its method takes all payloads that have gathered. Enqueue one payload, with enqueue(payload) or JobRequest.named(\"Ordered.gathered\", payload).");
	}

	@Test
	void recordWhenCallHidesRefusalStillRefuses() {
		assertRefused(Mails.class, (mails) -> {
			mails.send("a", 1);
			try {
				mails.helper();
			}
			catch (InvalidJobException ex) {
				// A careless application might ignore this exception.
			}
		}).withMessageContaining("Mails.helper is not a job");
	}

	@Test
	void recordWhenObjectMethodIsCalledThrowsExceptForToString() {
		AtomicReference<String> text = new AtomicReference<>();
		record(Mails.class, (mails) -> {
			text.set(mails.toString());
			mails.send("a", 1);
		});
		assertThat(text).hasValue("recorder of " + Mails.class.getName());
		assertRefused(Mails.class, Object::hashCode).withMessageContaining("hashCode is not a job");
		assertRefused(JobInterface.class, (job) -> job.equals(job)).withMessageContaining("equals is not a job");
	}

	@Test
	void recordWhenCallThrowsItselfThrowsTheSame() {
		assertThatIllegalStateException().isThrownBy(() -> record(Mails.class, (mails) -> {
			throw new IllegalStateException("mine");
		})).withMessage("mine");
	}

	@Test
	void recordWhenCallRecordsAnotherKeepsThemApart() {
		AtomicReference<CallRecorder.Call> inner = new AtomicReference<>();
		CallRecorder.Call outer = record(Mails.class, (mails) -> {
			inner.set(record(Mails.class, (other) -> other.send("inner", 1)));
			mails.send("outer", 2);
		});
		assertThat(outer.arguments()).containsExactly("outer", 2L);
		assertThat(inner.get().arguments()).containsExactly("inner", 1L);
	}

	@Test
	void recordWhenAnotherRecorderHasMadeTheClassWorks() {
		record(Mails.class, (mails) -> mails.send("a", 1));
		CallRecorder.Call call = new CallRecorder(registry)
			.record(new Called<>(Mails.class, (mails) -> mails.send("b", 2)));
		assertThat(call.arguments()).isEqualTo(List.of("b", 2L));
	}

	private <T> CallRecorder.Call record(Class<T> type, JobCall<T> call) {
		return this.recorder.record(new Called<>(type, call));
	}

	private <T> ThrowableAssertAlternative<InvalidJobException> assertRefused(Class<T> type, JobCall<T> call) {
		return assertThatExceptionOfType(InvalidJobException.class).isThrownBy(() -> record(type, call));
	}

	interface JobInterface {

	}

	static class Mails {

		@Job
		void send(@Nullable String to, long count) {
		}

		@Job
		protected int count(String to) {
			return 5;
		}

		@Job
		void withContext(String to, @Nullable JobContext context) {
		}

		void helper() {
		}

	}

	static class Parent<T> {

		@Job
		void handle(T value) {
		}

	}

	static class Child extends Parent<String> {

	}

	static class Ordered {

		@Job
		@Sequential(key = "#payload")
		void one(String id) {
		}

		@Job
		@Sequential(key = "#payload")
		void gathered(List<Integer> numbers) {
		}

	}

	@Configuration
	static class Beans {

		@Bean
		Ordered ordered() {
			return new Ordered();
		}

		@Bean
		Mails mails() {
			return new Mails();
		}

		@Bean
		Child child() {
			return new Child();
		}

	}

}
