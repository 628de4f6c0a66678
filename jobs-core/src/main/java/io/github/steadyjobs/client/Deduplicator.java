package io.github.steadyjobs.client;

import java.time.Duration;

import io.github.steadyjobs.DeduplicationListener;
import io.github.steadyjobs.Idempotence;
import io.github.steadyjobs.IdempotenceStrategy;
import io.github.steadyjobs.Idempotent.IfDuplicate;
import io.github.steadyjobs.Idempotent.Strategy;
import io.github.steadyjobs.definition.JobDefinition;
import io.github.steadyjobs.idempotence.JobIdempotence.Declaration;
import io.github.steadyjobs.redis.LockKind;
import io.github.steadyjobs.redis.NewLock;
import org.jspecify.annotations.Nullable;

/**
 * Decides with which lock a job is stored. Asks nobody: whether the job is a duplicate is
 * found by the script that would store it. Thread safe.
 */
final class Deduplicator {

	private static final Plan NONE = new Plan(null, false);

	private final DeduplicationKey key;

	private final Duration ttl;

	private final @Nullable DryRun dryRun;

	private final EnqueueReport report;

	/**
	 * Create a deduplicator.
	 * @param ttl of locks for which nothing else is said
	 * @param dryRun finds what would be duplicates among jobs that declare nothing, or
	 * {@code null}
	 * @param report told of what that finds
	 */
	Deduplicator(DeduplicationKey key, Duration ttl, @Nullable DryRun dryRun, EnqueueReport report) {
		this.key = key;
		this.ttl = ttl;
		this.dryRun = dryRun;
		this.report = report;
	}

	Plan plan(String id, ResolvedRequest request, boolean scheduled) {
		Idempotence chosen = choose(request);
		if (chosen == null) {
			tryOut(id, request, scheduled);
			return NONE;
		}
		LockKind kind = kind(chosen, scheduled, request.definition());
		if (kind == LockKind.NONE) {
			return chosen.keepConsistency() ? new Plan(new NewLock(kind, 0, "-", ""), true) : NONE;
		}
		Duration ttl = (chosen.ttl() != null) ? chosen.ttl() : this.ttl;
		String digest = this.key.of(request.jobName(), compared(request, chosen.key()));
		return new Plan(new NewLock(kind, ttl.toMillis(), digest, ""), chosen.keepConsistency());
	}

	private static @Nullable Idempotence choose(ResolvedRequest request) {
		if (request.options().idempotence() != null) {
			return request.options().idempotence();
		}
		JobDefinition definition = request.definition();
		Idempotence declared = (definition != null) ? definition.idempotence() : null;
		if (definition == null || declared == null) {
			return null;
		}
		IdempotenceStrategy strategy = definition.customStrategy();
		return (strategy != null) ? strategy.decide(request.request().queue(request.queue()), declared) : declared;
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

	private static @Nullable Object compared(ResolvedRequest request, @Nullable String chosen) {
		if (chosen != null) {
			return chosen;
		}
		JobDefinition definition = request.definition();
		Object key = (definition != null) ? definition.deduplicationKey(request.arguments()) : null;
		return (key != null) ? key : request.arguments();
	}

	private void tryOut(String id, ResolvedRequest request, boolean scheduled) {
		JobDefinition definition = request.definition();
		boolean undeclared = definition != null && definition.declaration() == Declaration.UNDECLARED;
		if (this.dryRun != null && undeclared && !scheduled) {
			String digest = this.key.of(request.jobName(), request.arguments());
			if (this.dryRun.isRepeated(request.queue() + " " + digest)) {
				this.report.tell(DeduplicationListener.Kind.POSSIBLE, request.name(), request.queue(), id);
			}
		}
	}

	/**
	 * How a job is stored.
	 *
	 * @param lock its lock, or {@code null} for none
	 * @param keepConsistency whether positions are to be added
	 */
	record Plan(@Nullable NewLock lock, boolean keepConsistency) {

	}

}
