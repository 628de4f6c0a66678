package io.github.steadyjobs.recurring;

import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.ScheduledFuture;

import io.github.steadyjobs.recurring.Declarations.Effective;
import org.jspecify.annotations.Nullable;

/**
 * A recurring job that this process can run, with what its {@link Ticker} knows of it.
 * Used by the thread of that alone.
 */
final class TickEntry {

	static final Duration OVERDUE = Duration.ofSeconds(1);

	final Effective effective;

	/** The process that all choose to see to its ticks, {@code null} for none. */
	final @Nullable String owner;

	/** The earliest tick that nobody has seen to, as far as is known. */
	@Nullable Instant next;

	/** Until when this process sees to its ticks although it is not chosen. */
	Instant takenOverUntil;

	/** Whether a tick is being seen to. */
	boolean isBusy;

	/** Whether the latest attempt of this process has failed. */
	boolean hasFailed;

	@Nullable ScheduledFuture<?> timer;

	/**
	 * Create an entry.
	 * @param before the one that it replaces, if there was one
	 */
	TickEntry(Effective effective, @Nullable String owner, @Nullable Instant next, @Nullable TickEntry before) {
		this.effective = effective;
		this.owner = owner;
		this.next = next;
		this.takenOverUntil = (before != null) ? before.takenOverUntil : Instant.MIN;
	}

	/**
	 * Go on with it until somebody else is faster, if a process that leaves has seen to
	 * it.
	 */
	void keepIfOf(String process) {
		if (process.equals(this.owner)) {
			this.takenOverUntil = Instant.MAX;
		}
	}

	RecurringJob job() {
		return this.effective.job();
	}

	/**
	 * Return when the tick is due, or {@code null} if there is none.
	 */
	@Nullable Instant due() {
		return (this.next != null) ? job().schedule().moved(job().name(), this.next) : null;
	}

	/**
	 * Return whether others are to look who sees to the tick.
	 */
	boolean isOverdue(Instant now) {
		Instant due = due();
		return due != null && due.plus(OVERDUE).isBefore(now);
	}

	void disarm() {
		if (this.timer != null) {
			this.timer.cancel(false);
			this.timer = null;
		}
	}

}
