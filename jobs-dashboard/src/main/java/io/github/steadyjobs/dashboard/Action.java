package io.github.steadyjobs.dashboard;

/**
 * A change that a viewer can make. Its page asks for confirmation and posts the answer to
 * the same address.
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
	 * Make the change. The viewer has the role for it and has confirmed it on a page of
	 * this dashboard.
	 * @return where the viewer goes next
	 * @throws RefusedException if a parameter is wrong
	 */
	Redirect perform(Visit visit);

}
