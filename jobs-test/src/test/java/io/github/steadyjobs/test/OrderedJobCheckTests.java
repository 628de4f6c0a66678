package io.github.steadyjobs.test;

import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.Callable;

import io.github.steadyjobs.InvalidJobException;
import io.github.steadyjobs.Job;
import io.github.steadyjobs.JobContext;
import io.github.steadyjobs.JobRequest;
import io.github.steadyjobs.NotIdempotent;
import io.github.steadyjobs.Sequential;
import io.github.steadyjobs.boot.JobsAutoConfiguration;
import io.github.steadyjobs.boot.JobsDoctorAutoConfiguration;
import io.github.steadyjobs.boot.JobsWorkerAutoConfiguration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.data.redis.autoconfigure.DataRedisAutoConfiguration;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.ApplicationContext;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

/**
 * Tests for {@link IdempotenceCheck} with ordered jobs: each run takes the same single
 * payload.
 */
class OrderedJobCheckTests {

	private final ApplicationContextRunner application = new ApplicationContextRunner()
		.withConfiguration(AutoConfigurations.of(DataRedisAutoConfiguration.class, JobsAutoConfiguration.class,
				JobsWorkerAutoConfiguration.class, JobsDoctorAutoConfiguration.class))
		.withPropertyValues("steadyjobs.worker.enabled=false", "steadyjobs.doctor.enabled=false")
		.withUserConfiguration(Orders.class);

	@ParameterizedTest
	@CsvSource(delimiter = '|', textBlock = """
			Orders.one  | {o-7=3}
			Orders.list | {o-7=3, payloads=1}
			Orders.map  | {key o-7=1, o-7=3}
			""")
	void checkRunsJobWithOnePayloadInTheFormItTakes(String job, String state) {
		this.application.run((context) -> {
			check(context, JobRequest.named(job, new Update("o-7", 3)));
			assertThat(context.getBean(Orders.class).versions).hasToString(state);
		});
	}

	@Test
	void checkWhenRequestHasKeyPassesThat() {
		this.application.run((context) -> {
			check(context, JobRequest.named("Orders.map", new Update("o-7", 3)).key("mine"));
			assertThat(context.getBean(Orders.class).versions).hasToString("{key mine=1, o-7=3}");
		});
	}

	@Test
	void checkWhenPayloadHasNoKeyOrScoreIsRefused() {
		this.application.run((context) -> {
			assertThatExceptionOfType(InvalidJobException.class)
				.isThrownBy(() -> check(context, JobRequest.named("Orders.one", new Update("", 3))))
				.withMessageContaining("the key '#update.id' of its @Sequential has 0 characters");
			assertThatExceptionOfType(InvalidJobException.class)
				.isThrownBy(() -> check(context, JobRequest.named("Orders.list", new Update("o-7", null))))
				.withMessageContaining("the score '#payload.version' of its @Sequential is null");
		});
	}

	@Test
	void checkWhenOrderedJobIsNotIdempotentFails() {
		this.application.run((context) -> {
			assertThatThrownBy(() -> check(context, JobRequest.named("Orders.count", "o-7")))
				.isExactlyInstanceOf(AssertionError.class)
				.hasMessageContaining("says that it is not idempotent");
			assertThatThrownBy(() -> check(context, JobRequest.named("Orders.append", "o-7")))
				.isExactlyInstanceOf(AssertionError.class)
				.hasMessageContaining("is not idempotent. After run 2 the state differs");
		});
	}

	private static void check(ApplicationContext context, JobRequest request) throws Exception {
		Callable<Object> versions = () -> context.getBean(Orders.class).versions;
		IdempotenceCheck.in(context).check(request, versions);
	}

	record Update(String id, Integer version) {

	}

	static class Orders {

		final Map<String, Integer> versions = new TreeMap<>();

		@Job
		@Sequential(key = "#update.id")
		void one(Update update) {
			this.versions.put(update.id(), update.version());
		}

		@Job
		@Sequential(key = "#payload.id", score = "#payload.version")
		void list(List<Update> updates, JobContext job) {
			updates.forEach(this::one);
			this.versions.put("payloads", updates.size());
		}

		@Job
		@Sequential(key = "#payload.id", batchSize = 5)
		void map(Map<String, List<Update>> updates) {
			updates.forEach((key, list) -> {
				list.forEach(this::one);
				this.versions.put("key " + key, list.size());
			});
		}

		@Job
		@NotIdempotent("counts")
		@Sequential(key = "#id")
		void count(String id) {
		}

		@Job
		@Sequential(key = "#id")
		void append(String id) {
			this.versions.merge(id, 1, Integer::sum);
		}

	}

}
