package io.github.steadyjobs.samples.quickstart;

import java.io.File;
import java.nio.file.Path;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;

import io.github.steadyjobs.samples.quickstart.Photo.State;
import org.jspecify.annotations.Nullable;

/**
 * The data that the page shows.
 *
 * @param counts the number of photos in each state
 * @param contactSheet the address of the contact sheet, which is new each time the sheet
 * is built; {@code null} if there is no sheet
 * @param uploads the newest uploaded photos
 * @param demos the newest painted photos
 */
record Gallery(Map<State, Integer> counts, @Nullable String contactSheet, List<Photo> uploads, List<Photo> demos) {

	static Gallery of(List<Photo> photos, int limit, Path contactSheet) {
		Map<State, Integer> counts = new EnumMap<>(State.class);
		for (State state : State.values()) {
			counts.put(state, 0);
		}
		photos.forEach((photo) -> counts.merge(photo.state(), 1, Integer::sum));
		File sheet = contactSheet.toFile();
		return new Gallery(counts, sheet.exists() ? "contact-sheet?built=" + sheet.lastModified() : null,
				photos.stream().filter((photo) -> !photo.demo()).limit(limit).toList(),
				photos.stream().filter(Photo::demo).limit(limit).toList());
	}

}
