package io.github.steadyjobs.dashboard;

import java.util.List;

import io.github.steadyjobs.doctor.Finding.Severity;

/**
 * A problem that is shown at the top of the overview.
 *
 * @param level the severity of the problem
 * @param text the problem in words
 * @param links links to the affected queues, processes or jobs
 * @param detail what to do, or how many links are left out; may be empty
 */
record Concern(Level level, String text, List<Link> links, String detail) {

	/** The severity of a problem, the worst first. */
	enum Level {

		/** Jobs do not run, or may be lost. */
		BAD,

		/** The problem may become worse, or was caused on purpose. */
		WARNING,

		/** The problem can wait. */
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
