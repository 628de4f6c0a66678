package io.github.steadyjobs.sidekiq;

import java.time.Duration;
import java.util.Map;

import org.jspecify.annotations.Nullable;

import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * Configuration properties for the bridge to Sidekiq.
 *
 * @param enabled Whether to configure the bridge and the client of Sidekiq.
 * @param queues Queues of Sidekiq whose jobs run here, each with the queue that they go
 * to. If empty, nothing is taken from Sidekiq.
 * @param jobs Names of jobs by Ruby class. Other classes are used as names of jobs.
 * @param namespace Namespace of Sidekiq's keys, as redis-namespace adds it.
 * @param url Redis of Sidekiq, if it is not the one that stores jobs.
 * @param pollInterval Time between two checks of empty queues.
 */
@ConfigurationProperties("steadyjobs.sidekiq")
record SidekiqProperties(@DefaultValue("true") boolean enabled, @DefaultValue Map<String, String> queues,
		@DefaultValue Map<String, String> jobs, @Nullable String namespace, @Nullable String url,
		@DefaultValue("1s") Duration pollInterval) {

}
