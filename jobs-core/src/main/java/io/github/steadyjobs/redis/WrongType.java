package io.github.steadyjobs.redis;

/**
 * A key of ours that holds a value of a type that no script of ours writes.
 *
 * @param queue the queue of the key, empty if it belongs to none
 * @param key the whole name of the key
 * @param expected the type that it should have, such as "list"
 * @param found the type that it has
 */
public record WrongType(String queue, String key, String expected, String found) {

	@Override
	public String toString() {
		return "%s is a %s and has to be a %s".formatted(this.key, this.found, this.expected);
	}

}
