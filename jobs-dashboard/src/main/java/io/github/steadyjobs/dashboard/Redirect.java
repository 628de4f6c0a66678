package io.github.steadyjobs.dashboard;

import org.jspecify.annotations.Nullable;

/**
 * The page to show after an action, and the result of the action.
 *
 * @param address the address of the page
 * @param notice the message about the result, {@code null} if the page shows the result
 * itself
 * @param count the number of changes, if the message contains it
 * @param others the number of jobs that were not changed
 */
record Redirect(String address, @Nullable Notice notice, long count, long others) {

	static Redirect to(Notice notice, String page, @Nullable Object... parameters) {
		return new Redirect(Address.of(page, parameters), notice, 0, 0);
	}

	Redirect withCount(long count) {
		return new Redirect(this.address, this.notice, count, this.others);
	}

	/** Return the address relative to the address of the action, with the notice. */
	String location() {
		if (this.notice == null) {
			return this.address;
		}
		return this.address + ((this.address.indexOf('?') < 0) ? '?' : '&') + "notice=" + Visit.text(this.notice)
				+ "&count=" + this.count + ((this.others > 0) ? "&others=" + this.others : "");
	}

}
