package io.github.steadyjobs.dashboard;

import java.time.Instant;
import java.util.Arrays;

import org.jspecify.annotations.Nullable;

/**
 * A whole page: its content and the parts around it.
 *
 * @param site the parts that all pages share
 * @param visit the request for the page
 * @param area the entry of the navigation, {@code null} for a page without an entry
 * @param view the content
 * @param token the token that forms contain, {@code null} if no token is required
 */
record Frame(Site site, Visit visit, @Nullable Area area, View view, @Nullable FormToken token) {

	/** Return whether only the content was requested. */
	boolean isLive() {
		return this.visit.isLive();
	}

	/** Return whether the viewer has the rights of a role. */
	boolean may(Role role) {
		return this.visit.viewer().may(role);
	}

	/** Return whether the page shows samples, so that its content can change. */
	boolean isSampled() {
		return !this.view.readings().isEmpty();
	}

	@Nullable Instant readAt() {
		return this.view.readAt();
	}

	String failure() {
		return this.view.failure();
	}

	/** Return the message about the last action, {@code null} if there is no message. */
	@Nullable Notice notice() {
		String name = text("notice");
		return Arrays.stream(Notice.values())
			.filter((notice) -> Visit.text(notice).equals(name))
			.findAny()
			.orElse(null);
	}

	String noticeText(Notice notice) {
		return notice.text(count("count"), count("others"));
	}

	private long count(String name) {
		String count = text(name);
		return (count != null && count.matches("\\d{1,15}")) ? Long.parseLong(count) : 0;
	}

	/**
	 * Return a parameter. A parameter that cannot be read counts as missing, because the
	 * page that says so has a frame too.
	 */
	private @Nullable String text(String name) {
		try {
			return this.visit.text(name);
		}
		catch (RefusedException ex) {
			return null;
		}
	}

}
