package io.github.steadyjobs.redis;

import java.nio.charset.StandardCharsets;
import java.time.Duration;

import io.github.steadyjobs.JobStoreException.Reason;
import io.github.steadyjobs.JobStoreUnavailableException;
import io.github.steadyjobs.redis.KeySpace.QueueKeys;
import io.github.steadyjobs.support.TwoNodes;
import io.lettuce.core.cluster.SlotHash;
import io.lettuce.core.protocol.CommandType;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

import static io.github.steadyjobs.support.Reasons.reason;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * Tests for {@link NodeConnections} in a cluster of two nodes whose slots move.
 */
class NodeConnectionsIntegrationTests {

	private static final Duration LONG = Duration.ofSeconds(10);

	private final TwoNodes cluster = TwoNodes.start();

	private final RedisConnections connections = this.cluster.redis().connections();

	private final PlainCommands commands = new PlainCommands(this.connections.commands(), LONG);

	private final byte[] key = bytes(this.cluster.redis().prefix() + ":queues");

	private final int slot = SlotHash.getSlot(this.key);

	@AfterEach
	void close() {
		this.cluster.close();
	}

	@Test
	void sendWhenSlotHasMovedFollowsIt() {
		assertThat(this.commands.send(CommandType.SADD, this.key, "a")).succeedsWithin(LONG);
		this.commands.send(CommandType.DEL, this.key).join();
		this.cluster.move(this.slot);
		assertThat(this.commands.send(CommandType.SADD, this.key, "b")).succeedsWithin(LONG);
		assertThat(this.commands.members(this.key)).containsExactly("b");
	}

	@Test
	void sendWhenSlotIsMovingAsksTheOtherNode() {
		this.commands.members(this.key);
		this.cluster.beginMove(this.slot);
		assertThat(this.commands.send(CommandType.SADD, this.key, "a")).succeedsWithin(LONG);
		assertThat(this.commands.members(this.key)).containsExactly("a");
		this.cluster.move(this.slot);
		assertThat(this.commands.members(this.key)).containsExactly("a");
	}

	@Test
	void sendWhenKeysOfScriptAreOnBothNodesIsToldToTryAgain() {
		RedisConnections impatient = new RedisConnections(this.cluster.redis().connectionFactory());
		QueueKeys keys = new KeySpace(this.cluster.redis().prefix()).queue("q");
		this.cluster.beginMove(SlotHash.getSlot(keys.get(QueuePart.META)));
		ScriptCall call = ScriptCall.on(JobScript.of(getClass(), "two-keys"), keys.get(QueuePart.CALLS),
				keys.get(QueuePart.BEATS));
		assertThat(call.send(impatient.commands(), LONG)).failsWithin(LONG)
			.withThrowableThat()
			.havingCause()
			.isInstanceOf(JobStoreUnavailableException.class)
			.has(reason(Reason.NOT_READY));
		impatient.close();
	}

	@Test
	void sendWhenNobodyServesTheSlotIsNotSent() {
		this.cluster.abandon(this.slot);
		assertThatExceptionOfType(JobStoreUnavailableException.class).isThrownBy(() -> this.commands.members(this.key))
			.withMessageContaining("no node of the cluster serves the queue");
	}

	private static byte[] bytes(String text) {
		return text.getBytes(StandardCharsets.UTF_8);
	}

}
