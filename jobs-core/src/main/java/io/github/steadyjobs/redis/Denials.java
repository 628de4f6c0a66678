package io.github.steadyjobs.redis;

import java.util.SortedSet;

/**
 * What the user of Redis may not do, and has to.
 *
 * @param commands the names of the commands, in lower case. Others may be missing too if
 * some without which nothing can be tried are: 'eval', 'hdel' and 'hset'
 * @param keys the pattern of the keys, if one of them was denied, else empty
 * @param rule the whole rule, as {@code ACL SETUSER} takes it
 */
public record Denials(SortedSet<String> commands, String keys, String rule) {

	/**
	 * Return whether everything is allowed.
	 * @return whether there is nothing to change
	 */
	public boolean isEmpty() {
		return this.commands.isEmpty() && this.keys.isEmpty();
	}

	/**
	 * Return what to add to the user, as {@code ACL SETUSER} takes it.
	 * @return the missing part of the rule
	 */
	public String missing() {
		return (this.keys + " " + AccessRule.allow(this.commands)).trim();
	}

}
