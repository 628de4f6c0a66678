package io.github.steadyjobs.admin;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

import io.github.steadyjobs.activity.OperatorChange;
import io.github.steadyjobs.support.RedisTest;
import io.github.steadyjobs.support.TcpRelay;
import io.github.steadyjobs.support.TestRedis;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link JobActivity} with a connection that breaks. The calls that record
 * changes go through a relay; the calls that make these changes do not.
 */
@RedisTest
@ExtendWith(OutputCaptureExtension.class)
class JobActivityOutageIntegrationTests {

	private final TestRedis redis;

	private final TcpRelay relay;

	private final List<OperatorAction> events = new CopyOnWriteArrayList<>();

	private final JobActivity activity;

	private final JobPauses pauses;

	JobActivityOutageIntegrationTests(TestRedis redis) {
		this.redis = redis;
		this.relay = TcpRelay.to(redis);
		this.activity = new JobActivity(this.relay.connections(Duration.ofSeconds(5)), redis.prefix(),
				new JobsActor(() -> null, () -> "shop@host"), this.events::add);
		this.pauses = new JobPauses(redis.connections(), redis.prefix(), this.activity);
	}

	@BeforeEach
	void registerQueue() {
		this.redis.template().opsForSet().add(this.redis.prefix() + ":queues", "mail");
	}

	@AfterEach
	void close() {
		this.relay.close();
	}

	@Test
	void changeWhenRedisIsAwayStandsAndIsInTheLog(CapturedOutput output) {
		this.pauses.pauseQueue("mail", "ann", "before");
		assertThat(counts()).containsExactly(1L);
		assertThat(output).doesNotContain("could not be noted");
		this.relay.refuse();
		assertThat(this.pauses.resumeQueue("mail").status()).isEqualTo(PauseResult.Status.RESUMED);
		assertThat(this.pauses.list()).isEmpty();
		assertThat(output).contains("could not be noted in Redis: shop@host resume queue mail, 1 changed");
		assertThat(this.events).extracting(OperatorAction::action).containsExactly("pause", "resume");
		this.relay.pass();
		assertThat(this.redis.template().opsForList().size(this.redis.prefix() + ":activity")).isOne();
	}

	@Test
	void changeWhenTheAnswerIsLostIsCountedOnce(CapturedOutput output) {
		step();
		this.relay.loseReplyTo("b0b0b0b0b0b0");
		step();
		assertThat(this.relay.lostReplies()).isOne();
		assertThat(output).doesNotContain("could not be noted");
		assertThat(counts()).containsExactly(2L);
	}

	private void step() {
		this.activity.changed(OperatorChange.of("delete", "planned").stepOf("b0b0b0b0b0b0"));
	}

	private List<Long> counts() {
		return this.activity.page("", 10).actions().stream().map(OperatorAction::count).toList();
	}

}
