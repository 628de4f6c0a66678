package io.github.steadyjobs.recurring;

import java.time.Instant;
import java.util.concurrent.ScheduledFuture;

import io.github.steadyjobs.recurring.Declarations.Effective;
import org.jspecify.annotations.Nullable;

/**
 * A recurring job that this process can run, with what its {@link Ticker} knows of it.
 * Used by the thread of that alone.
 */
final class TickEntry {

	final Effective effective;

	/** The process that all choose to see to its ticks, {@code null} for none. */
	final @Nullable String owner;

	/** The earliest tick that nobody has seen to, as far as is known. */
	@Nullable Instant next;

	/** Until when this process sees to its ticks although it is not chosen. */
	Instant takenOverUntil = Instant.MIN;

	/** Whether a tick is being seen to. */
	boolean isBusy;

	@Nullable ScheduledFuture<?> timer;

	TickEntry(Effective effective, @Nullable String owner) {
		this.effective = effective;
		this.owner = owner;
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

	void disarm() {
		if (this.timer != null) {
			this.timer.cancel(false);
			this.timer = null;
		}
	}

}
