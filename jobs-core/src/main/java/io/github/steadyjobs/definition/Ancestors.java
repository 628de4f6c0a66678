package io.github.steadyjobs.definition;

import org.jspecify.annotations.Nullable;

/**
 * The values around the one that is being checked, innermost first. Only values of types
 * that can contain themselves are noted.
 *
 * @param value the innermost value
 * @param parent what it lies in
 * @param depth how many there are
 */
record Ancestors(Object value, @Nullable Ancestors parent, int depth) {

	// Deeper than what is read back: JobJson stops at 64, two of which are around args.
	private static final int MAX_DEPTH = 62;

	static Ancestors of(@Nullable Ancestors parent, Object value) {
		return new Ancestors(value, parent, (parent != null) ? parent.depth() + 1 : 1);
	}

	static @Nullable Unsafe refuse(@Nullable Ancestors ancestors, Object value) {
		if (ancestors != null && ancestors.depth() >= MAX_DEPTH) {
			return Unsafe.here("is nested deeper than JSON is read back", "Pass ids instead of the whole structure.");
		}
		for (Ancestors ancestor = ancestors; ancestor != null; ancestor = ancestor.parent()) {
			if (ancestor.value() == value) {
				return Unsafe.here("is a cycle: this %s contains itself".formatted(value.getClass().getName()),
						"Pass ids instead of references.");
			}
		}
		return null;
	}

}
