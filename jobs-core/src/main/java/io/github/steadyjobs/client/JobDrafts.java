package io.github.steadyjobs.client;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.Collections;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Objects;
import java.util.OptionalInt;
import java.util.Set;

import io.github.steadyjobs.InvalidJobException;
import io.github.steadyjobs.JobLimits;
import io.github.steadyjobs.JobRequest;
import io.github.steadyjobs.JobRequest.Called;
import io.github.steadyjobs.JobRequest.Named;
import io.github.steadyjobs.JobRequest.Options;
import io.github.steadyjobs.JobRequest.Typed;
import io.github.steadyjobs.Names;
import io.github.steadyjobs.PayloadTooLargeException;
import io.github.steadyjobs.Sequential;
import io.github.steadyjobs.definition.JobDefinition;
import io.github.steadyjobs.definition.JobRegistry;
import io.github.steadyjobs.definition.Sequence;
import io.github.steadyjobs.ordered.Gathered;
import io.github.steadyjobs.redis.JobIds;
import io.github.steadyjobs.redis.NewJob.Expiry;
import io.github.steadyjobs.redis.NewJob.Ordering;
import io.github.steadyjobs.redis.PayloadCodec;
import io.github.steadyjobs.redis.PayloadCodec.Written;
import org.jspecify.annotations.Nullable;

/**
 * Creates drafts from requests: finds the job of a request, checks the draft, and writes
 * its stored form. Thread safe.
 */
final class JobDrafts {

	/**
	 * 100,000 years. Scripts hold milliseconds as doubles, which are exact for 285,000
	 * years.
	 */
	private static final Duration LONGEST = Duration.ofDays(36_500_000);

	private final JobIds ids = new JobIds();

	private final JobRegistry registry;

	private final CallRecorder recorder;

	private final PayloadCodec codec;

	private final Deduplicator deduplicator;

	private final long payloadLimit;

	private final Clock clock;

	JobDrafts(JobRegistry registry, PayloadCodec codec, Deduplicator deduplicator, JobClientSettings settings) {
		this.registry = registry;
		this.recorder = new CallRecorder(registry);
		this.codec = codec;
		this.deduplicator = deduplicator;
		this.payloadLimit = settings.payloadLimit().toBytes();
		this.clock = settings.clock();
	}

	/**
	 * Find the job of a request, and create a draft of it with a new id.
	 * @throws InvalidJobException if the request matches no job, or several jobs
	 */
	JobDraft begin(JobRequest request) {
		return begin(this.ids.next(this.clock.millis()), request);
	}

	/**
	 * Find the job of a request, and create a draft of it.
	 * @param id the id of the new job
	 * @throws InvalidJobException if the request matches no job, or several jobs
	 */
	JobDraft begin(String id, JobRequest request) {
		Options options = request.options();
		if (request.target() instanceof Typed typed) {
			JobDefinition definition = this.registry.forArgument(typed.argument().getClass());
			return new JobDraft(id, definition.name(), Collections.singletonList(typed.argument()), options,
					definition);
		}
		if (request.target() instanceof Called<?> called) {
			CallRecorder.Call call = this.recorder.record(called);
			return new JobDraft(id, call.definition().name(), call.arguments(), options, call.definition());
		}
		Named named = (Named) request.target();
		return new JobDraft(id, named.name(), named.arguments(), options, this.registry.named(named.name()));
	}

	/**
	 * Apply the changes of interceptors to a draft. Unless the name has changed, the
	 * draft remains a draft of the same job, even if that job cannot be found by name.
	 */
	void change(JobDraft draft, JobRequest changed) {
		if (changed.target() instanceof Named named && named.name().equals(draft.name())) {
			draft.change(named.arguments(), changed.options());
		}
		else {
			draft.become(begin(draft.id(), changed));
		}
	}

	/**
	 * Check a draft, and write its stored form.
	 * @throws InvalidJobException if the job cannot be stored
	 */
	void write(JobDraft draft) {
		checkArguments(draft);
		checkQueue(draft);
		checkOrder(draft);
		long now = this.clock.millis();
		Long due = due(draft, now);
		Options stored = stored(draft, (due != null) ? due : now);
		Written written = (stored.key() != null) ? writeOrdered(draft, stored, now, due)
				: this.codec.write(draft.id(), draft.name(), draft.arguments(), stored, now, due);
		byte[] payload = written.json();
		if (payload.length > this.payloadLimit) {
			throw new PayloadTooLargeException(draft.name(), payload.length, this.payloadLimit);
		}
		this.deduplicator.lock(draft, due != null);
		Instant expiresAt = stored.limits().expiresAt();
		draft.write(payload, due,
				(expiresAt != null) ? new Expiry(expiresAt.toEpochMilli() - now, written.expiry()) : null, now);
	}

	/**
	 * Give the draft the id of its key, and write its stored form. If the job is not
	 * known in this application, the default number of shards is passed on, which applies
	 * only if the queue has no shards yet.
	 */
	private Written writeOrdered(JobDraft draft, Options stored, long now, @Nullable Long due) {
		JobDefinition definition = draft.definition();
		Sequence sequence = draft.sequence();
		String key = Objects.requireNonNull(stored.key());
		draft.order(JobIds.ofKey((definition != null) ? definition.name() : draft.name(), key),
				new Ordering(key, (sequence != null) ? sequence.shards() : Sequential.DEFAULT_SHARDS));
		byte[] envelope = this.codec.write(draft.id(), draft.name(), List.of(), stored, now, due).json();
		byte[] arguments = this.codec.writeArguments(draft.name(), draft.arguments());
		return new Written(Gathered.write(this.codec, envelope, stored.score(), arguments), -1);
	}

	private void checkArguments(JobDraft draft) {
		JobDefinition definition = draft.definition();
		if (definition != null) {
			definition.parameters().check(definition.name(), draft.arguments());
		}
		else {
			this.registry.checkArguments(draft.name(), draft.arguments());
		}
	}

	private static void checkQueue(JobDraft draft) {
		String queue = draft.options().queue();
		if (queue != null && !Names.isName(queue)) {
			throw new InvalidJobException("Job '%s' cannot go to queue '%s': the name of a queue is %s"
				.formatted(draft.name(), queue, Names.RULE));
		}
	}

	/**
	 * Refuse options that would break the order of an ordered job, and options that only
	 * an ordered job can have. A job that is unknown in this application, or known only
	 * by the type of its argument, may or may not be ordered.
	 */
	private void checkOrder(JobDraft draft) {
		JobDefinition definition = draft.definition();
		Options set = draft.options();
		boolean keyed = set.key() != null || set.score() != null;
		boolean ordered = draft.sequence() != null;
		if (keyed && !ordered && definition != null && definition.method() != null) {
			throw new InvalidJobException(
					"Job '%s' takes no key and no score, because it is not @Sequential. Leave them out, or put @Sequential on its method."
						.formatted(draft.name()));
		}
		if (ordered && definition != null && !draft.queue().equals(definition.queue())) {
			throw new InvalidJobException(
					"Job '%s' is @Sequential and has the queue '%s' to itself, so it cannot go to queue '%s'. Leave the queue out."
						.formatted(draft.name(), definition.queue(), draft.queue()));
		}
		if (!ordered && set.key() == null) {
			checkShared(draft, draft.queue());
			checkShared(draft, set.limits().retryQueue());
		}
		if (!ordered && set.score() != null && set.key() == null) {
			throw new InvalidJobException(
					"Job '%s' has a score and no key: a score orders the payloads of a key. Set one with JobRequest.key(…)."
						.formatted(draft.name()));
		}
		if ((ordered || keyed) && set.idempotence() != null) {
			throw new InvalidJobException(
					"Job '%s' cannot be deduplicated, because it is ordered: equal payloads of a key are kept once without that. Leave out 'idempotent'."
						.formatted(draft.name()));
		}
	}

	/** Refuse an unordered job for a queue whose workers look only for ordered jobs. */
	private void checkShared(JobDraft draft, @Nullable String queue) {
		JobDefinition owner = (queue != null) ? this.registry.orderedIn(queue) : null;
		if (owner != null) {
			throw new InvalidJobException(
					"Job '%s' is not ordered and cannot go to queue '%s', which job '%s' has to itself because it is @Sequential: it would never run. Name another queue."
						.formatted(draft.name(), queue, owner.name()));
		}
	}

	/** Return the time at which the job is due, or {@code null} if it is due now. */
	private static @Nullable Long due(JobDraft draft, long now) {
		Options options = draft.options();
		if (options.delay() == null && options.at() == null) {
			return null;
		}
		Duration wait = (options.delay() != null) ? options.delay()
				: Duration.between(Instant.ofEpochMilli(now), options.at());
		if (wait.compareTo(LONGEST) > 0) {
			throw new InvalidJobException(
					"Job '%s' would wait for more than 100,000 years (%s)".formatted(draft.name(), wait));
		}
		// The sign is checked first, because the milliseconds of a time in the distant
		// past would overflow too.
		long millis = wait.isNegative() ? 0 : wait.toMillis();
		return (millis > 0) ? now + millis : null;
	}

	/**
	 * Return the limits to store. Limits that only affect how the job is run are left to
	 * the worker, unless the request sets them.
	 */
	private static JobLimits limits(JobDraft draft, long due) {
		JobLimits set = draft.options().limits();
		JobDefinition definition = draft.definition();
		JobLimits all = (definition != null) ? set.or(definition.retry().limits()) : set;
		if (all == JobLimits.NONE) {
			return all;
		}
		if (all.retryQueue() != null) {
			checkRetryQueue(draft, all.retryQueue());
		}
		Instant expiresAt = (all.expires() != null) ? Instant.ofEpochMilli(due).plus(all.expires()) : all.expiresAt();
		if (expiresAt != null) {
			checkExpiry(draft, expiresAt, due);
		}
		return new JobLimits(all.retryFor(), all.retryQueue(), set.backtrace(), null, expiresAt, set.timeout());
	}

	private static void checkRetryQueue(JobDraft draft, String queue) {
		if (draft.sequence() != null || draft.options().key() != null) {
			throw new InvalidJobException(
					"Job '%s' cannot be retried in queue '%s', because it is ordered and stays with its key. Leave the queue for retries out."
						.formatted(draft.name(), queue));
		}
	}

	private static void checkExpiry(JobDraft draft, Instant expiresAt, long due) {
		Options set = draft.options();
		if (draft.sequence() != null || set.key() != null) {
			throw new InvalidJobException(
					"Job '%s' cannot expire at %s, because it is ordered: payloads of a key are merged into one job. Leave the expiry out."
						.formatted(draft.name(), expiresAt));
		}
		if ((set.delay() != null || set.at() != null) && expiresAt.toEpochMilli() <= due) {
			throw new InvalidJobException("Job '%s' expires at %s but is due at %s, so it would never run"
				.formatted(draft.name(), expiresAt, Instant.ofEpochMilli(due)));
		}
	}

	private static List<String> tags(JobDraft draft) {
		List<String> set = draft.options().tags();
		JobDefinition definition = draft.definition();
		if (definition == null || definition.tags().isEmpty()) {
			return set;
		}
		Set<String> all = new LinkedHashSet<>(definition.tags());
		all.addAll(set);
		return List.copyOf(all);
	}

	/** Return the settings to store. A request's settings override the job's settings. */
	private static Options stored(JobDraft draft, long due) {
		Options set = draft.options();
		OptionalInt retries = set.retries();
		Boolean dead = set.dead();
		JobDefinition definition = draft.definition();
		if (definition != null) {
			// The default is left to the worker, whose configuration may change.
			Integer own = definition.retry().retries();
			retries = (retries != null || own == null) ? retries : OptionalInt.of(own);
			dead = (dead != null) ? dead : Boolean.valueOf(definition.retry().dead());
		}
		Sequence sequence = draft.sequence();
		String key = set.key();
		String score = set.score();
		if (sequence != null) {
			key = (key != null) ? key : sequence.key(draft.name(), draft.arguments());
			score = (score != null) ? score : sequence.score(draft.name(), draft.arguments());
		}
		return new Options(set.delay(), set.at(), draft.queue(), retries, dead, limits(draft, due), tags(draft),
				draft.meta(), set.beforeCommit(), set.durability(), set.idempotence(), key, score);
	}

}
