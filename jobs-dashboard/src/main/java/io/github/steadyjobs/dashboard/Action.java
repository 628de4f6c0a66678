package io.github.steadyjobs.dashboard;

/**
 * A change that a viewer can make. The page of an action asks for confirmation, and posts
 * the answer to the same address.
 */
interface Action extends Page {

	@Override
	Role role();

	/** Return the question that the form asks. */
	Question question(Visit visit);

	@Override
	default View view(Visit visit) {
		return view(question(visit));
	}

	default View view(Question question) {
		return new View("question", question.title(), question);
	}

	/**
	 * Make the change. The viewer has the required role, and has confirmed the change on
	 * a page of this dashboard.
	 * @return the page that the viewer sees next
	 * @throws RefusedException if a parameter is invalid
	 */
	Redirect perform(Visit visit);

}
