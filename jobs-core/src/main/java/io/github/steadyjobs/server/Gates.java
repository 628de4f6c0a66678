package io.github.steadyjobs.server;

import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;

import io.github.steadyjobs.JobOutcome;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * All {@link Gate}s of a process, asked one after the other.
 */
final class Gates {

	private static final Logger logger = LoggerFactory.getLogger(Gates.class);

	private final List<Gate> gates;

	Gates(List<Gate> gates) {
		this.gates = gates;
	}

	/**
	 * Return the outcome of a job that a gate holds back, {@code null} if it may begin.
	 */
	Outcome.@Nullable Parked hold(UnitOfWork job) {
		int passed = 0;
		String reason = null;
		try {
			while (reason == null && passed < this.gates.size()) {
				reason = this.gates.get(passed).holdsBack(job);
				passed += (reason == null) ? 1 : 0;
			}
			return (reason != null) ? new Outcome.Parked(null, reason) : null;
		}
		finally {
			if (passed < this.gates.size()) {
				this.gates.subList(0, passed).forEach((gate) -> ended(gate, job, JobOutcome.PARKED));
			}
		}
	}

	/** Tell all gates how it ended with a job that they let through. */
	void ended(UnitOfWork job, JobOutcome outcome) {
		this.gates.forEach((gate) -> ended(gate, job, outcome));
	}

	/** Catches errors too: the outcome is decided, and must not be lost. */
	private static void ended(Gate gate, UnitOfWork job, JobOutcome outcome) {
		try {
			gate.ended(job, outcome);
		}
		catch (Throwable ex) {
			logger.warn("Gate {} failed", gate.getClass().getName(), ex);
		}
	}

	boolean isOpen(String reason) {
		return this.gates.stream().anyMatch((gate) -> gate.open().contains(reason));
	}

	Set<String> open() {
		return this.gates.stream().flatMap((gate) -> gate.open().stream()).collect(Collectors.toSet());
	}

	void onOpened(Runnable listener) {
		this.gates.forEach((gate) -> gate.onOpened(listener));
	}

}
