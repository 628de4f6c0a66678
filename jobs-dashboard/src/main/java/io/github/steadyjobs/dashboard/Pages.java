package io.github.steadyjobs.dashboard;

import java.util.List;

/**
 * Pages that need the same beans.
 *
 * @param pages all of these pages
 */
record Pages(List<Page> pages) {

	static Pages of(Page... pages) {
		return new Pages(List.of(pages));
	}

}
