package io.github.steadyjobs.dashboard;

import java.time.Instant;
import java.util.List;
import java.util.Objects;

import org.jspecify.annotations.Nullable;

/**
 * What a page shows.
 *
 * @param template the name of its template
 * @param title its title
 * @param model what the template gets as {@code model}
 * @param readings the samples that it was made of
 */
record View(String template, String title, Object model, List<Reading<?>> readings) {

	View(String template, String title, Object model, Reading<?>... readings) {
		this(template, title, model, List.of(readings));
	}

	/** Return when the oldest part was read, {@code null} if it shows no samples. */
	@Nullable Instant readAt() {
		return this.readings.stream().map(Reading::at).min(Instant::compareTo).orElse(null);
	}

	/** Return why it shows nothing newer, empty if it is new enough. */
	String failure() {
		return this.readings.stream()
			.map(Reading::failure)
			.filter(Objects::nonNull)
			.findFirst()
			.map((failure) -> Plain.line(failure.getMessage()))
			.orElse("");
	}

}
