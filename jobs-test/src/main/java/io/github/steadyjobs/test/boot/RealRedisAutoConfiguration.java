package io.github.steadyjobs.test.boot;

import io.github.steadyjobs.boot.JobsAutoConfiguration;

import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.ImportAutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnProperty;
import org.springframework.boot.data.redis.autoconfigure.DataRedisAutoConfiguration;

/**
 * Auto-configuration that adds Redis to tests of a part of the application, which would
 * otherwise have none. It is processed after the auto-configuration that starts a server.
 */
@AutoConfiguration(after = JobsTestAutoConfiguration.class, before = JobsAutoConfiguration.class)
@ConditionalOnProperty(name = JobsContextCustomizerFactory.MODE, havingValue = "REAL")
@ImportAutoConfiguration(DataRedisAutoConfiguration.class)
final class RealRedisAutoConfiguration {

}
