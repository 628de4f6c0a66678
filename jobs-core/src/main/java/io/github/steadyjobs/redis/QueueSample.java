package io.github.steadyjobs.redis;

import java.time.Duration;
import java.util.List;

/**
 * What a queue held at a moment.
 *
 * @param ready number of jobs that wait for a worker
 * @param latency how long the oldest of them has waited
 * @param scheduled number of jobs that are due later
 * @param retries number of failed jobs that run again later
 * @param dead number of dead jobs
 * @param parked number of jobs that were set aside
 * @param working number of jobs that run
 * @param suspects number of jobs that wait to run alone, as processes died with them
 */
public record QueueSample(long ready, Duration latency, long scheduled, long retries, long dead, long parked,
		long working, long suspects) {

	static QueueSample of(List<Object> answer) {
		return new QueueSample(Answers.number(answer, 0), Duration.ofMillis(Answers.number(answer, 1)),
				Answers.number(answer, 2), Answers.number(answer, 3), Answers.number(answer, 4),
				Answers.number(answer, 5), Answers.number(answer, 6), Answers.number(answer, 7));
	}

}
