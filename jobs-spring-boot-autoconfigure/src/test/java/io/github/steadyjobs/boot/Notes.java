package io.github.steadyjobs.boot;

import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

import org.awaitility.Awaitility;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Records what the beans of a test have observed, in order.
 */
final class Notes {

	private final List<Object> notes = new CopyOnWriteArrayList<>();

	void add(Object note) {
		this.notes.add(note);
	}

	List<Object> all() {
		return List.copyOf(this.notes);
	}

	/**
	 * Wait for notes.
	 * @param expected all expected notes, in order
	 */
	void await(Object... expected) {
		awaitSize(expected.length);
		assertThat(this.notes).containsExactly(expected);
	}

	/**
	 * Wait for notes.
	 * @param size the minimum number of notes
	 * @return the first note
	 */
	Object awaitSize(int size) {
		Awaitility.await().until(() -> this.notes.size() >= size);
		return this.notes.get(0);
	}

}
