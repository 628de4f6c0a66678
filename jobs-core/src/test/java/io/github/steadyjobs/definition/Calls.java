package io.github.steadyjobs.definition;

import java.util.ArrayList;
import java.util.List;

/**
 * Records calls in a separate bean, so that the jobs of a test can be plain classes.
 */
public class Calls {

	private final List<Object> all = new ArrayList<>();

	public void add(Object call) {
		this.all.add(call);
	}

	public List<Object> all() {
		return this.all;
	}

}
