package io.github.steadyjobs.dashboard;

import java.time.Instant;
import java.util.Arrays;

import org.jspecify.annotations.Nullable;

/**
 * The parts of a page around its content.
 *
 * @param site the parts that all pages have in common
 * @param visit who asks for the page
 * @param area the entry of the navigation, {@code null} for a page that belongs to none
 * @param view the content
 * @param token the token that forms carry, {@code null} if there is none
 */
record Frame(Site site, Visit visit, @Nullable Area area, View view, @Nullable FormToken token) {

	/** Return whether only the content is wanted. */
	boolean isLive() {
		return this.visit.isLive();
	}

	/** Return whether the viewer may do what a role may. */
	boolean may(Role role) {
		return this.visit.viewer().may(role);
	}

	/** Return whether the page shows samples, and so may change by itself. */
	boolean isSampled() {
		return !this.view.readings().isEmpty();
	}

	@Nullable Instant readAt() {
		return this.view.readAt();
	}

	String failure() {
		return this.view.failure();
	}

	/** Return what has been done, {@code null} if nothing has. */
	@Nullable Notice notice() {
		String name = this.visit.text("notice");
		return Arrays.stream(Notice.values())
			.filter((notice) -> Visit.text(notice).equals(name))
			.findAny()
			.orElse(null);
	}

	String noticeText(Notice notice) {
		return notice.text(count("count"), count("others"));
	}

	private long count(String name) {
		String count = this.visit.text(name);
		return (count != null && count.matches("\\d{1,15}")) ? Long.parseLong(count) : 0;
	}

}
