package io.github.steadyjobs.samples.quickstart;

import java.util.Arrays;
import java.util.Locale;
import java.util.Optional;

import com.fasterxml.jackson.annotation.JsonValue;

/**
 * The sizes of thumbnails.
 */
enum PhotoSize {

	SMALL(160), MEDIUM(480), LARGE(1280);

	private final int pixels;

	PhotoSize(int pixels) {
		this.pixels = pixels;
	}

	/**
	 * Return the maximum length of each side, in pixels.
	 */
	int pixels() {
		return this.pixels;
	}

	@JsonValue
	String value() {
		return name().toLowerCase(Locale.ROOT);
	}

	static Optional<PhotoSize> find(String value) {
		return Arrays.stream(values()).filter((size) -> size.value().equals(value)).findFirst();
	}

}
