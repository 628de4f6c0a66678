package io.github.steadyjobs.admin;

import java.time.Duration;

import io.github.steadyjobs.redis.QueueMonitor.Sample;

/**
 * What a queue holds at one moment. The shards of a queue of ordered jobs count together.
 *
 * @param name the queue
 * @param latency how long the oldest job that is ready or due has waited
 * @param ready how many jobs wait for a worker, suspects among them
 * @param scheduled how many are due later
 * @param retries how many have failed and run again later
 * @param dead how many are dead
 * @param parked how many wait for something other than a time
 * @param working how many run
 */
public record QueueState(String name, Duration latency, long ready, long scheduled, long retries, long dead,
		long parked, long working) {

	static QueueState of(String name, Sample sample) {
		return new QueueState(name, sample.latency(), sample.ready() + sample.suspects(), sample.scheduled(),
				sample.retries(), sample.dead(), sample.parked(), sample.working());
	}

}
