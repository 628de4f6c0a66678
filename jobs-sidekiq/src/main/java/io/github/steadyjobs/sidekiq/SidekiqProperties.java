package io.github.steadyjobs.sidekiq;

import java.time.Duration;
import java.util.Map;

import org.jspecify.annotations.Nullable;

import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * Configuration properties for the bridge to Sidekiq.
 *
 * @param enabled Whether to configure the Sidekiq bridge and the Sidekiq client.
 * @param queues Sidekiq queues whose jobs run in this application, each with the queue to
 * which its jobs go. If empty, no jobs are taken from Sidekiq.
 * @param jobs Job names by Ruby class. For other classes, the class name is the job name.
 * @param namespace Namespace that redis-namespace adds to Sidekiq's keys.
 * @param url URL of Sidekiq's Redis, if this is not the Redis that stores jobs.
 * @param pollInterval Time between two checks of empty queues.
 */
@ConfigurationProperties("steadyjobs.sidekiq")
record SidekiqProperties(@DefaultValue("true") boolean enabled, @DefaultValue Map<String, String> queues,
		@DefaultValue Map<String, String> jobs, @Nullable String namespace, @Nullable String url,
		@DefaultValue("1s") Duration pollInterval) {

}
