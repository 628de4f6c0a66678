package io.github.steadyjobs.admin;

import java.util.List;

/**
 * A page of the actions of operators.
 *
 * @param actions the actions on the page, newest first
 * @param next the cursor of the next page; empty if this is the last page
 */
public record ActivityPage(List<OperatorAction> actions, String next) {

	public ActivityPage {
		actions = List.copyOf(actions);
	}

	/** Return whether there are more pages. */
	public boolean hasNext() {
		return !this.next.isEmpty();
	}

}
