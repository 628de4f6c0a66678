package io.github.steadyjobs.client;

import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.LongSupplier;

import io.github.steadyjobs.EnqueueListener.Overlap;
import io.github.steadyjobs.Idempotence;
import io.github.steadyjobs.IdempotenceStrategy;
import io.github.steadyjobs.Idempotent.IfDuplicate;
import io.github.steadyjobs.Idempotent.Strategy;
import io.github.steadyjobs.definition.JobDefinition;
import io.github.steadyjobs.definition.JobDefinition.Declaration;
import org.jspecify.annotations.Nullable;

/**
 * Decides which lock a job requests. The script that stores the job determines whether
 * the job is a duplicate. Thread safe.
 */
final class Deduplicator {

	private final DeduplicationKey key;

	private final Duration ttl;

	private final @Nullable DryRun dryRun;

	/**
	 * Create a deduplicator.
	 * @param ttl the default time to live of locks, for jobs that do not set their own
	 * @param dryRun finds possible duplicates among jobs that do not declare whether they
	 * are idempotent; {@code null} for no dry run
	 */
	Deduplicator(DeduplicationKey key, Duration ttl, @Nullable DryRun dryRun) {
		this.key = key;
		this.ttl = ttl;
		this.dryRun = dryRun;
	}

	/** Record in a draft which lock the job requests, if any. */
	void lock(JobDraft draft, boolean scheduled) {
		Idempotence chosen = choose(draft);
		if (chosen == null) {
			tryOut(draft, scheduled);
			return;
		}
		LockKind kind = kind(chosen, scheduled, draft.definition());
		if (kind != LockKind.NONE) {
			Duration ttl = (chosen.ttl() != null) ? chosen.ttl() : this.ttl;
			String digest = this.key.of(jobName(draft), compared(draft, chosen.key()));
			draft.lock(kind.lock(ttl.toMillis(), digest), chosen.keepConsistency());
		}
		else if (chosen.keepConsistency()) {
			// No lock is needed, but the positions must be stored.
			draft.lock(kind.lock(0, "-"), true);
		}
	}

	private static @Nullable Idempotence choose(JobDraft draft) {
		if (draft.options().idempotence() != null) {
			return draft.options().idempotence();
		}
		JobDefinition definition = draft.definition();
		Idempotence declared = (definition != null) ? definition.idempotence() : null;
		if (definition == null || declared == null) {
			return null;
		}
		IdempotenceStrategy strategy = definition.customStrategy();
		return (strategy != null) ? strategy.decide(draft.request(), declared) : declared;
	}

	private static LockKind kind(Idempotence chosen, boolean scheduled, @Nullable JobDefinition definition) {
		boolean takesPart = !scheduled || chosen.includeScheduled();
		boolean mayBeDropped = definition == null || definition.deduplicate();
		if (chosen.strategy() != Strategy.WHILE_EXECUTING && !(takesPart && mayBeDropped)) {
			return LockKind.NONE;
		}
		return switch (chosen.strategy()) {
			case UNTIL_EXECUTING -> LockKind.UNTIL_EXECUTING;
			case UNTIL_EXECUTED -> (chosen.ifDuplicate() == IfDuplicate.RUN_ONCE_MORE)
					? LockKind.UNTIL_EXECUTED_AND_ONCE_MORE : LockKind.UNTIL_EXECUTED;
			case WITHIN -> LockKind.WITHIN;
			case WHILE_EXECUTING -> LockKind.WHILE_EXECUTING;
			case DEFAULT -> throw new IllegalStateException("A particular strategy was to be chosen");
		};
	}

	/** Return the current name, so that jobs enqueued by an alias match too. */
	private static String jobName(JobDraft draft) {
		JobDefinition definition = draft.definition();
		return (definition != null) ? definition.name() : draft.name();
	}

	private static @Nullable Object compared(JobDraft draft, @Nullable String chosen) {
		if (chosen != null) {
			return chosen;
		}
		JobDefinition definition = draft.definition();
		Object key = (definition != null) ? definition.deduplicationKey(draft.arguments()) : null;
		return (key != null) ? key : draft.arguments();
	}

	private void tryOut(JobDraft draft, boolean scheduled) {
		JobDefinition definition = draft.definition();
		boolean undeclared = definition != null && definition.sequence() == null
				&& definition.declaration() == Declaration.UNDECLARED;
		if (this.dryRun != null && undeclared && !scheduled) {
			String digest = this.key.of(jobName(draft), draft.arguments());
			if (this.dryRun.isRepeated(draft.queue() + " " + digest)) {
				draft.overlap(Overlap.POSSIBLE);
			}
		}
	}

	/**
	 * Remembers the last 10,000 different jobs that this process has enqueued, to find
	 * jobs that would have been duplicates. Needs no round trip, and does not take other
	 * processes into account. Thread safe.
	 */
	static final class DryRun {

		private static final int REMEMBERED = 10_000;

		private final long ttl;

		private final LongSupplier clock;

		private final Map<String, Long> enqueued = new LinkedHashMap<>() {

			@Override
			protected boolean removeEldestEntry(Map.Entry<String, Long> eldest) {
				return size() > REMEMBERED;
			}

		};

		/**
		 * Create a dry run that remembers nothing yet.
		 * @param ttl how long a job is remembered
		 * @param clock returns nanoseconds as {@link System#nanoTime()} does
		 */
		DryRun(Duration ttl, LongSupplier clock) {
			this.ttl = (ttl.toDays() < 365) ? ttl.toNanos() : Duration.ofDays(365).toNanos();
			this.clock = clock;
		}

		/**
		 * Remember a job.
		 * @return whether an equal job was already remembered
		 */
		synchronized boolean isRepeated(String key) {
			long now = this.clock.getAsLong();
			Long before = this.enqueued.get(key);
			if (before != null && now - before < this.ttl) {
				return true;
			}
			this.enqueued.remove(key);
			this.enqueued.put(key, now);
			return false;
		}

	}

}
