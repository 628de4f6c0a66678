package io.github.steadyjobs.admin;

import java.time.Duration;

import io.github.steadyjobs.redis.QueueMonitor.Sample;

/**
 * A snapshot of the number of jobs in each place of a queue. The shards of a queue of
 * ordered jobs are counted together.
 *
 * @param name the name of the queue
 * @param latency how long the oldest job that is ready or due has waited
 * @param ready the number of jobs that wait for a worker, including suspects
 * @param scheduled the number of jobs that are scheduled
 * @param retries the number of jobs that have failed or were postponed, and wait until
 * they are due again
 * @param dead the number of dead jobs
 * @param parked the number of jobs that wait for something other than a worker or a time
 * @param working the number of running jobs
 * @param suspects the number of ready jobs that wait to run alone, because processes died
 * while running them
 */
public record QueueState(String name, Duration latency, long ready, long scheduled, long retries, long dead,
		long parked, long working, long suspects) {

	/**
	 * Return the number of jobs in a place. Here, ready jobs do not include suspects.
	 */
	public long count(JobPlace place) {
		return switch (place) {
			case READY -> this.ready - this.suspects;
			case SUSPECTS -> this.suspects;
			case SCHEDULED -> this.scheduled;
			case RETRIES -> this.retries;
			case DEAD -> this.dead;
			case PARKED -> this.parked;
			case WORKING -> this.working;
		};
	}

	static QueueState of(String name, Sample sample) {
		return new QueueState(name, sample.latency(), sample.ready() + sample.suspects(), sample.scheduled(),
				sample.retries(), sample.dead(), sample.parked(), sample.working(), sample.suspects());
	}

}
