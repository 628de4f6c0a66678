package io.github.steadyjobs.definition;

import java.util.ArrayList;
import java.util.List;

/**
 * What was called, in a bean of its own, so that the jobs of a test can be plain classes.
 */
class Calls {

	private final List<Object> all = new ArrayList<>();

	void add(Object call) {
		this.all.add(call);
	}

	List<Object> all() {
		return this.all;
	}

}
