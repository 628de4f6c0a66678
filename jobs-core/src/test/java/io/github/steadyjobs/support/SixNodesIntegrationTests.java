package io.github.steadyjobs.support;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

import org.springframework.data.redis.core.StringRedisTemplate;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link SixNodes}, which other tests rely on.
 */
@ClusterTest
class SixNodesIntegrationTests {

	private final SixNodes cluster = SixNodes.start();

	@AfterEach
	void close() {
		this.cluster.close();
	}

	@Test
	void killLetsReplicaTakeOverWithAllThatWasAnswered() {
		String queue = this.cluster.queueOf(1);
		StringRedisTemplate template = this.cluster.redis().template();
		template.opsForValue().set("{" + queue + "}", "kept");
		assertThat(this.cluster.nodeOf(queue)).isEqualTo(1);
		this.cluster.kill(1);
		assertThat(this.cluster.awaitMaster(queue)).isEqualTo(4);
		assertThat(this.cluster.nodeOf(this.cluster.queueOf(0))).isZero();
		this.cluster.restart(1);
		this.cluster.awaitWhole();
		assertThat(this.cluster.nodeOf(queue)).isEqualTo(4);
		assertThat(template.opsForValue().get("{" + queue + "}")).isEqualTo("kept");
	}

	@Test
	void freezeLetsReplicaTakeOver() {
		this.cluster.freeze(0);
		assertThat(this.cluster.awaitMaster(this.cluster.queueOf(0))).isEqualTo(3);
		this.cluster.thaw(0);
		this.cluster.awaitWhole();
	}

}
