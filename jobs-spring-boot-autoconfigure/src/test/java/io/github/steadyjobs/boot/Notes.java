package io.github.steadyjobs.boot;

import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

import org.awaitility.Awaitility;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * What the beans of a test have seen, in order.
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
	 * @param expected all notes that there will be, in order
	 */
	void await(Object... expected) {
		awaitSize(expected.length);
		assertThat(this.notes).containsExactly(expected);
	}

	/**
	 * Wait for notes.
	 * @param size the number of notes
	 * @return the first of them
	 */
	Object awaitSize(int size) {
		Awaitility.await().until(() -> this.notes.size() >= size);
		return this.notes.get(0);
	}

}
