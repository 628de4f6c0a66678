package io.github.steadyjobs.observation;

import java.lang.management.ManagementFactory;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

import com.sun.management.ThreadMXBean;
import io.github.steadyjobs.Durability;
import io.github.steadyjobs.EnqueueResult;
import io.github.steadyjobs.JobContext;
import io.github.steadyjobs.ServerInterceptor;
import io.github.steadyjobs.SnoozeJobException;
import io.github.steadyjobs.client.EnqueueObserver;
import io.micrometer.common.KeyValue;
import io.micrometer.common.KeyValues;
import io.micrometer.common.docs.KeyName;
import io.micrometer.observation.Observation;
import io.micrometer.observation.ObservationHandler;
import io.micrometer.observation.ObservationRegistry;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

/**
 * Tests for {@link JobPublishObserver} and {@link JobProcessObserver}.
 */
class JobObserversTests {

	private static final CarriedContext NO_CONTEXT = new CarriedContext(List.of());

	private final ObservationRegistry registry = ObservationRegistry.create();

	private final List<Observation.Context> stopped = new ArrayList<>();

	/** The step at which the handler throws, or {@code null} for none. */
	private @Nullable Step broken;

	@Test
	void callIsObservedWithItsResult() {
		listen();
		EnqueueObserver.Call call = publisher().begin(RunningJob.ID, "InvoiceJobs.send", "mail");
		assertThat(this.registry.getCurrentObservation()).isNotNull();
		assertThat(call.meta(Map.of())).containsExactly(Map.entry("header", "value"));
		assertThat(call.meta(Map.of("header", "old", "own", "x")))
			.containsExactlyInAnyOrderEntriesOf(Map.of("header", "value", "own", "x"));
		call.leave();
		assertThat(this.registry.getCurrentObservation()).isNull();
		call.end(1, new EnqueueResult.Enqueued(RunningJob.ID, Durability.STORED), null);
		Observation.Context context = this.stopped.get(0);
		assertThat(context.getName()).isEqualTo("jobs.publish");
		assertThat(context.getContextualName()).isEqualTo("mail send");
		assertThat(context.getError()).isNull();
		assertThat(context.getLowCardinalityKeyValues()).contains(KeyValue.of("jobs.job", "InvoiceJobs.send"),
				KeyValue.of("jobs.queue", "mail"), KeyValue.of("jobs.result", "enqueued"),
				KeyValue.of("messaging.operation.type", "send"));
		assertDocumented(context, JobsObservation.JOB_PUBLISH);
	}

	@Test
	void callThatFailsIsAnError() {
		listen();
		EnqueueObserver.Call call = publisher().begin(RunningJob.ID, "InvoiceJobs.send", "mail");
		call.leave();
		IllegalStateException failure = new IllegalStateException("Redis is away");
		call.end(7, null, failure);
		assertThat(this.stopped.get(0).getError()).isSameAs(failure);
		assertThat(this.stopped.get(0).getLowCardinalityKeyValue("jobs.result"))
			.isEqualTo(KeyValue.of("jobs.result", "failed"));
		assertThat(this.stopped.get(0).getHighCardinalityKeyValue("messaging.batch.message_count"))
			.isEqualTo(KeyValue.of("messaging.batch.message_count", "7"));
	}

	@Test
	void runIsObservedInsideItsScope() throws Exception {
		listen();
		run(null, RunningJob.with(Map.of()), () -> assertThat(this.registry.getCurrentObservation()).isNotNull());
		assertThat(this.registry.getCurrentObservation()).isNull();
		Observation.Context context = this.stopped.get(0);
		assertThat(context.getName()).isEqualTo("jobs.process");
		assertThat(context.getContextualName()).isEqualTo("mail process InvoiceJobs.send");
		assertThat(context.getLowCardinalityKeyValues()).contains(KeyValue.of("jobs.outcome", "done"));
		assertThat(context.getHighCardinalityKeyValues()).contains(KeyValue.of("jobs.attempt", "2"),
				KeyValue.of("jobs.capsule", "default"));
		assertDocumented(context, JobsObservation.JOB_PROCESS);
	}

	@Test
	void notEveryExceptionIsAnError() {
		listen();
		assertThatIllegalArgumentException().isThrownBy(() -> run(null, RunningJob.with(Map.of()), () -> {
			throw new IllegalArgumentException();
		}));
		assertThatExceptionOfType(SnoozeJobException.class)
			.isThrownBy(() -> run(null, RunningJob.with(Map.of()), () -> {
				throw new SnoozeJobException(Duration.ofSeconds(1));
			}));
		ServerInterceptor.Chain interrupted = () -> {
			throw new InterruptedException();
		};
		assertThatExceptionOfType(InterruptedException.class)
			.isThrownBy(() -> run(null, RunningJob.with(Map.of(), true), interrupted));
		assertThatExceptionOfType(InterruptedException.class)
			.isThrownBy(() -> run(null, RunningJob.with(Map.of(), false), interrupted));
		assertThat(this.stopped)
			.extracting((context) -> context.getLowCardinalityKeyValue("jobs.outcome").getValue() + " "
					+ (context.getError() != null))
			.containsExactly("failed true", "snoozed false", "released false", "failed true");
	}

	@ParameterizedTest
	@EnumSource
	void handlerThatThrowsDisturbsNothing(Step broken) throws Exception {
		listen();
		this.broken = broken;
		StringBuilder ran = new StringBuilder();
		run(null, RunningJob.with(Map.of()), () -> ran.append("ran"));
		assertThat(ran).hasToString("ran");
		assertThat(this.registry.getCurrentObservationScope()).isNull();
		EnqueueObserver.Call call = publisher().begin(RunningJob.ID, "InvoiceJobs.send", "mail");
		assertThat(call.meta(Map.of("own", "x"))).containsEntry("own", "x");
		call.leave();
		call.end(1, null, new IllegalStateException());
		assertThat(this.registry.getCurrentObservationScope()).isNull();
	}

	@Test
	void conventionThatThrowsDisturbsNothing() throws Exception {
		listen();
		StringBuilder ran = new StringBuilder();
		for (boolean late : new boolean[] { false, true }) {
			JobProcessObservationConvention convention = new DefaultJobProcessObservationConvention() {

				@Override
				public KeyValues getLowCardinalityKeyValues(JobProcessContext context) {
					if (late == context.isEnded()) {
						throw new IllegalStateException("A convention with a mistake");
					}
					return super.getLowCardinalityKeyValues(context);
				}

			};
			run(convention, RunningJob.with(Map.of()), () -> ran.append("ran "));
		}
		assertThat(ran).hasToString("ran ran ");
		assertThat(this.registry.getCurrentObservationScope()).isNull();
	}

	@Test
	void nothingIsAllocatedWithoutHandlers() throws Exception {
		JobPublishObserver publisher = publisher();
		JobProcessObserver observer = new JobProcessObserver(this.registry, null);
		JobContext job = RunningJob.with(Map.of());
		ServerInterceptor.Chain chain = () -> {
		};
		Map<String, String> own = Map.of();
		ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
		long least = Long.MAX_VALUE;
		// At first, the measurement itself allocates memory.
		for (int i = 0; i < 10; i++) {
			long before = threads.getCurrentThreadAllocatedBytes();
			for (int j = 0; j < 1000; j++) {
				EnqueueObserver.Call call = publisher.begin(RunningJob.ID, "InvoiceJobs.send", "mail");
				call.meta(own);
				call.leave();
				call.end(1, null, null);
				observer.intercept(job, chain);
			}
			least = Math.min(least, threads.getCurrentThreadAllocatedBytes() - before);
		}
		assertThat(least).isZero();
	}

	private JobPublishObserver publisher() {
		return new JobPublishObserver(this.registry, null, NO_CONTEXT);
	}

	private void run(@Nullable JobProcessObservationConvention convention, JobContext job,
			ServerInterceptor.Chain chain) throws Exception {
		new JobProcessObserver(this.registry, convention).intercept(job, chain);
	}

	private void listen() {
		this.registry.observationConfig().observationHandler(new Handler());
	}

	private static void assertDocumented(Observation.Context context, JobsObservation documentation) {
		assertThat(context.getLowCardinalityKeyValues()).extracting(KeyValue::getKey)
			.containsExactlyInAnyOrderElementsOf(names(documentation.getLowCardinalityKeyNames()));
		assertThat(context.getHighCardinalityKeyValues()).extracting(KeyValue::getKey)
			.containsExactlyInAnyOrderElementsOf(names(documentation.getHighCardinalityKeyNames()));
	}

	private static List<String> names(KeyName[] names) {
		return List.of(names).stream().map(KeyName::asString).toList();
	}

	enum Step {

		START, OPEN, CLOSE, ERROR, STOP

	}

	/**
	 * Writes a header as a tracer does, notes observations that have stopped, and throws
	 * an exception at the step {@code broken}.
	 */
	private final class Handler implements ObservationHandler<Observation.Context> {

		@Override
		public void onStart(Observation.Context context) {
			breakIf(Step.START);
			if (context instanceof JobPublishContext published) {
				published.getSetter().set(published.getCarrier(), "header", "value");
			}
		}

		@Override
		public void onScopeOpened(Observation.Context context) {
			breakIf(Step.OPEN);
		}

		@Override
		public void onScopeClosed(Observation.Context context) {
			breakIf(Step.CLOSE);
		}

		@Override
		public void onError(Observation.Context context) {
			breakIf(Step.ERROR);
		}

		@Override
		public void onStop(Observation.Context context) {
			breakIf(Step.STOP);
			JobObserversTests.this.stopped.add(context);
		}

		@Override
		public boolean supportsContext(Observation.Context context) {
			return true;
		}

		private void breakIf(Step step) {
			if (JobObserversTests.this.broken == step) {
				throw new IllegalStateException("A handler with a mistake");
			}
		}

	}

}
