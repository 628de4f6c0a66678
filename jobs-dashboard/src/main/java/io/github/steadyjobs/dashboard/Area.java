package io.github.steadyjobs.dashboard;

import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * Navigation entries in display order. An entry whose page does not exist is left out.
 */
enum Area {

	OVERVIEW("M3 11 10 4l7 7M5 9.5V16h10V9.5"),

	QUEUES("M4 5h12M4 10h12M4 15h7"),

	JOBS("M4 4h12v5H4zM4 11h12v5H4zM13 6.5h.01M13 13.5h.01"),

	RUNNING("M6 4l10 6-10 6z"),

	NAMES("M4 16v-5M8 16V8M12 16v-3M16 16V4"),

	RECURRING("M16 10a6 6 0 1 1-2-4.5M16 3v3.5h-3.5"),

	ORDERED("M7 5h9M7 10h9M7 15h9M3.5 5h.01M3.5 10h.01M3.5 15h.01"),

	PROCESSES("M4 4h12v5H4zM4 11h12v5H4zM7 6.5h.01M7 13.5h.01"),

	PAUSES("M7 4v12M13 4v12"),

	LOCKS("M5 9h10v7H5zM7 9V7a3 3 0 0 1 6 0v2"),

	DOCTOR("M10 4v12M4 10h12"),

	AUDIT("M5 3h10v14H5zM8 10l1.5 1.5L12.5 8"),

	ACTIVITY("M10 4a3 3 0 1 0 0 6a3 3 0 1 0 0-6M4 17a6 5 0 0 1 12 0");

	private final String icon;

	/**
	 * Create an entry.
	 * @param icon the path data of its icon, an SVG of 20 by 20 units
	 */
	Area(String icon) {
		this.icon = icon;
	}

	/** Return the entries whose pages exist, in the order in which they are shown. */
	static List<Area> of(List<Page> pages) {
		Set<String> names = pages.stream().map(Page::name).collect(Collectors.toSet());
		return Arrays.stream(values()).filter((area) -> names.contains(area.page())).toList();
	}

	String icon() {
		return this.icon;
	}

	/** Return the name of the page that this entry leads to. */
	String page() {
		return switch (this) {
			case OVERVIEW -> "";
			case JOBS -> "list";
			default -> name().toLowerCase(Locale.ROOT);
		};
	}

	String address() {
		return Address.of(page());
	}

	String title() {
		return Words.of("area." + name().toLowerCase(Locale.ROOT));
	}

}
