package io.github.steadyjobs.dashboard;

import java.util.List;

import io.github.steadyjobs.doctor.Finding.Severity;

/**
 * A problem that the overview shows before anything else.
 *
 * @param level its severity
 * @param text the problem in words
 * @param links the queues, processes or jobs it is about, and where to look
 * @param detail what to do, or how many are not listed; may be empty
 */
record Concern(Level level, String text, List<Link> links, String detail) {

	/** How bad it is, the worst first. */
	enum Level {

		/** Jobs are not run, or may be lost. */
		BAD,

		/** It may become bad, or somebody wanted it so. */
		WARNING,

		/** It can wait. */
		NOTE;

		static Level of(Severity severity) {
			return switch (severity) {
				case OFF, INFO -> NOTE;
				case WARN -> WARNING;
				case ERROR, FAIL -> BAD;
			};
		}

		String css() {
			return Visit.text(this);
		}

		String title() {
			return Words.of("level." + Visit.text(this));
		}

	}

}
