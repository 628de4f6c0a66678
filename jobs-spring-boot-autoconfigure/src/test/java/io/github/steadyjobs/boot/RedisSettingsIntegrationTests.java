package io.github.steadyjobs.boot;

import io.github.steadyjobs.JobStoreException;
import io.github.steadyjobs.support.ClusterRedis;
import io.github.steadyjobs.support.OwnRedis;
import io.github.steadyjobs.support.RedisUser;
import io.github.steadyjobs.support.SentinelRedis;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import org.springframework.boot.health.contributor.Status;
import org.springframework.context.ConfigurableApplicationContext;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * Tests for applications that only use {@code spring.data.redis.*} to configure Redis.
 * The tests with TLS are in {@link TlsIntegrationTests}.
 */
class RedisSettingsIntegrationTests {

	@Test
	void runWhenUserHasTheRuleOfTheDocumentIsNeverDenied() {
		try (OwnRedis redis = OwnRedis.start(); RedisUser user = RedisUser.create(redis, "jobs")) {
			try (ConfigurableApplicationContext application = Applications.run(NotingJobs.class,
					"spring.data.redis.host=" + redis.host(), "spring.data.redis.port=" + redis.port(),
					"spring.data.redis.username=jobs", "spring.data.redis.password=" + RedisUser.PASSWORD,
					"steadyjobs.prefix=" + redis.redis().prefix())) {
				assertRuns(application, "by a user");
			}
			assertThat(user.denials()).isEmpty();
		}
	}

	@Test
	@Tag("redis-program")
	void runWhenASentinelNamesThePrimaryFollowsItToTheNextOne() {
		try (SentinelRedis redis = SentinelRedis.start();
				ConfigurableApplicationContext application = Applications.run(NotingJobs.class,
						"spring.data.redis.sentinel.master=" + SentinelRedis.MASTER,
						"spring.data.redis.sentinel.nodes=" + redis.node())) {
			assertRuns(application, "before");
			redis.failOver();
			await().ignoreExceptionsInstanceOf(JobStoreException.class).until(() -> {
				NotingJobs.enqueue(application, "after");
				return true;
			});
			application.getBean(Notes.class).await("before", "after");
		}
	}

	@Test
	void runWhenRedisIsAClusterUsesIt() {
		try (ClusterRedis cluster = ClusterRedis.start();
				ConfigurableApplicationContext application = Applications.run(NotingJobs.class,
						"spring.data.redis.cluster.nodes=" + cluster.node())) {
			assertRuns(application, "in a cluster");
			assertThat(application.getBean(JobsHealthIndicator.class).health().getDetails().get("redis"))
				.hasToString("the cluster of %s, prefix 'steadyjobs'".formatted(cluster.node()));
		}
	}

	static void assertRuns(ConfigurableApplicationContext application, String text) {
		NotingJobs.enqueue(application, text);
		application.getBean(Notes.class).await(text);
		await().until(() -> application.getBean(JobsHealthIndicator.class).health().getStatus().equals(Status.UP));
	}

}
