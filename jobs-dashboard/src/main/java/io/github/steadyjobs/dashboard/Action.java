package io.github.steadyjobs.dashboard;

/**
 * A change that a viewer can make. The page of an action asks for confirmation, and posts
 * the answer to the same address.
 */
abstract class Action extends Page {

	Action(String name, Area area, Role role) {
		super(name, area, role);
	}

	/** Return the question that the form asks. */
	abstract Question question(Visit visit);

	@Override
	View view(Visit visit) {
		return view(question(visit));
	}

	View view(Question question) {
		return new View("question", question.title(), question);
	}

	/**
	 * Make the change. The viewer has the required role, and has confirmed the change on
	 * a page of this dashboard.
	 * @return the page that the viewer sees next
	 * @throws RefusedException if a parameter is invalid
	 */
	abstract Redirect perform(Visit visit);

}
