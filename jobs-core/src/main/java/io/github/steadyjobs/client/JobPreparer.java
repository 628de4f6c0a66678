package io.github.steadyjobs.client;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;

import io.github.steadyjobs.InvalidJobException;
import io.github.steadyjobs.JobRequest;
import io.github.steadyjobs.Names;
import io.github.steadyjobs.PayloadTooLargeException;
import io.github.steadyjobs.definition.JobDefinition;
import io.github.steadyjobs.definition.JobRegistry;
import io.github.steadyjobs.redis.NewJob;
import io.github.steadyjobs.redis.PayloadCodec;
import org.jspecify.annotations.Nullable;

/**
 * Makes a job that can be stored out of a request, or refuses it. Thread safe.
 */
final class JobPreparer {

	/**
	 * Scripts count milliseconds in doubles, which are exact for 285,000 years.
	 */
	private static final Duration LONGEST = Duration.ofDays(36_500_000);

	private final JobRegistry registry;

	private final PayloadCodec codec;

	private final Deduplicator deduplicator;

	private final long payloadLimit;

	private final Clock clock;

	JobPreparer(JobRegistry registry, PayloadCodec codec, Deduplicator deduplicator, JobClientSettings settings) {
		this.registry = registry;
		this.codec = codec;
		this.deduplicator = deduplicator;
		this.payloadLimit = settings.payloadLimit().toBytes();
		this.clock = settings.clock();
	}

	PreparedJob prepare(String id, ResolvedRequest request) {
		checkArguments(request);
		checkQueue(request);
		long now = this.clock.millis();
		Long due = due(request, now);
		byte[] payload = payload(id, request, now, due);
		Deduplicator.Plan plan = this.deduplicator.plan(id, request, due != null);
		NewJob job = new NewJob(id, payload, null, plan.lock());
		return new PreparedJob(job, request.name(), request.queue(), due, request.options(), plan.keepConsistency());
	}

	private void checkArguments(ResolvedRequest request) {
		JobDefinition definition = request.definition();
		if (definition != null) {
			definition.checkArguments(request.arguments());
		}
		else {
			this.registry.checkArguments(request.name(), request.arguments());
		}
	}

	private static void checkQueue(ResolvedRequest request) {
		String queue = request.options().queue();
		if (queue != null && !Names.isName(queue)) {
			throw new InvalidJobException("Job '%s' cannot go to queue '%s': the name of a queue is %s"
				.formatted(request.name(), queue, Names.RULE));
		}
	}

	/**
	 * Return the time at which the job is due, or {@code null} if that is now.
	 */
	private static @Nullable Long due(ResolvedRequest request, long now) {
		Duration wait = wait(request.options(), now);
		if (wait.compareTo(LONGEST) > 0) {
			throw new InvalidJobException(
					"Job '%s' would wait for more than 100,000 years (%s)".formatted(request.name(), wait));
		}
		// The sign first: the milliseconds of a time long ago are not countable either.
		long millis = wait.isNegative() ? 0 : wait.toMillis();
		return (millis > 0) ? now + millis : null;
	}

	private static Duration wait(JobRequest.Options options, long now) {
		if (options.delay() != null) {
			return options.delay();
		}
		return (options.at() != null) ? Duration.between(Instant.ofEpochMilli(now), options.at()) : Duration.ZERO;
	}

	private byte[] payload(String id, ResolvedRequest request, long now, @Nullable Long due) {
		JobRequest.Options options = request.options();
		byte[] payload = this.codec.write(new PayloadCodec.Envelope(id, request.name(), request.arguments(),
				request.queue(), request.retries(), request.dead(), now, due, options.tags(), options.meta()));
		if (payload.length > this.payloadLimit) {
			throw new PayloadTooLargeException(request.name(), payload.length, this.payloadLimit);
		}
		return payload;
	}

}
