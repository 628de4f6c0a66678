package io.github.steadyjobs.dashboard;

import java.time.Instant;
import java.util.List;
import java.util.Objects;

import org.jspecify.annotations.Nullable;

/**
 * The content of a page.
 *
 * @param template the name of the template
 * @param title the title of the page
 * @param model the data that the template receives as {@code model}
 * @param readings the readings of samples that the content was made from
 */
record View(String template, String title, Object model, List<Reading<?>> readings) {

	View(String template, String title, Object model, Reading<?>... readings) {
		this(template, title, model, List.of(readings));
	}

	/** Return the time of the oldest reading, {@code null} if nothing was read. */
	@Nullable Instant readAt() {
		return this.readings.stream().map(Reading::at).min(Instant::compareTo).orElse(null);
	}

	/** Return why the page shows no newer content, empty if the content is new enough. */
	String failure() {
		return this.readings.stream()
			.map(Reading::failure)
			.filter(Objects::nonNull)
			.findFirst()
			.map((failure) -> Plain.line(failure.getMessage()))
			.orElse("");
	}

}
