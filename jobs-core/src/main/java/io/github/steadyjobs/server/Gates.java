package io.github.steadyjobs.server;

import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.function.Consumer;
import java.util.stream.Collectors;

import io.github.steadyjobs.JobOutcome;
import io.github.steadyjobs.gate.Gate;
import io.github.steadyjobs.gate.Gate.Hold;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * All {@link Gate}s of a process, which are consulted one after another.
 */
final class Gates implements PresenceListener {

	private static final Logger logger = LoggerFactory.getLogger(Gates.class);

	private final List<Gate> gates;

	Gates(List<Gate> gates) {
		this.gates = gates;
	}

	/** Return {@code null} if a job may begin, or its outcome if a gate holds it back. */
	Outcome.@Nullable Parked hold(UnitOfWork job) {
		int passed = 0;
		Hold hold = null;
		try {
			while (hold == null && passed < this.gates.size()) {
				hold = this.gates.get(passed).holdsBack(job);
				passed += (hold == null) ? 1 : 0;
			}
			return (hold != null) ? new Outcome.Parked(null, hold.reason(), hold.version()) : null;
		}
		finally {
			if (passed < this.gates.size()) {
				tell(this.gates.subList(0, passed), (gate) -> gate.ended(job, JobOutcome.PARKED));
			}
		}
	}

	/**
	 * Return how long to put off the jobs of a run that has thrown an exception, or
	 * {@code null} if no gate puts the jobs off, so that they count as failed.
	 */
	@Nullable Duration putsOff(UnitOfWork first, Throwable thrown) {
		for (Gate gate : this.gates) {
			try {
				Duration delay = gate.putsOff(first, thrown);
				if (delay != null) {
					return delay;
				}
			}
			catch (Throwable ex) {
				failed(gate, ex);
			}
		}
		return null;
	}

	/** Notify all gates that a run has ended. */
	void ran(UnitOfWork first, Outcome outcome) {
		Throwable failure = outcome.hasFailed() ? Objects.requireNonNull(outcome.failure()).cause() : null;
		tell(this.gates, (gate) -> gate.ran(first, outcome.kind(), failure));
	}

	/** Notify all gates of a job that will not begin. */
	void notBegun(UnitOfWork job) {
		tell(this.gates, (gate) -> gate.notBegun(job));
	}

	/** Notify all gates of the outcome of a job that they let through. */
	void ended(UnitOfWork job, JobOutcome outcome) {
		tell(this.gates, (gate) -> gate.ended(job, outcome));
	}

	@Override
	public void answered(String queue, Beat beat) {
		tell(this.gates, (gate) -> gate.answered(queue, beat.parked().now(), beat.rules()));
	}

	void heard(long version) {
		tell(this.gates, (gate) -> gate.heard(version));
	}

	/**
	 * Notify gates. Even errors are caught, because the outcome has been decided and must
	 * not be lost.
	 */
	private static void tell(List<Gate> gates, Consumer<Gate> news) {
		for (Gate gate : gates) {
			try {
				news.accept(gate);
			}
			catch (Throwable ex) {
				failed(gate, ex);
			}
		}
	}

	private static void failed(Gate gate, Throwable failure) {
		logger.warn("Gate {} failed", gate.getClass().getName(), failure);
	}

	void round() {
		this.gates.forEach(Gate::round);
	}

	boolean isOpen(String reason) {
		return this.gates.stream().anyMatch((gate) -> gate.open().contains(reason));
	}

	Set<String> open() {
		return this.gates.stream().flatMap((gate) -> gate.open().stream()).collect(Collectors.toSet());
	}

}
