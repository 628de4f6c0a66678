package io.github.steadyjobs.samples.quickstart;

import java.nio.file.Path;
import java.time.Duration;

import org.jspecify.annotations.Nullable;

import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * Configuration properties of the photo site.
 *
 * @param directory Directory in which photos are kept. If not set, a temporary directory
 * is used. It is deleted when the application stops, as is the data of the embedded
 * Redis.
 * @param keep Time after which a photo is deleted.
 * @param retryDelay Time before the first retry of a job. It doubles with each further
 * retry.
 */
@ConfigurationProperties("quickstart")
record QuickstartProperties(@Nullable Path directory, @DefaultValue("1h") Duration keep,
		@DefaultValue("2s") Duration retryDelay) {

}
