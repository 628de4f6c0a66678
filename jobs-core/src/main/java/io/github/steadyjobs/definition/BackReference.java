package io.github.steadyjobs.definition;

import org.jspecify.annotations.Nullable;

/**
 * Stands for the check of a type inside of that very type. Values can form a cycle only
 * through one of these, so here is where cycles are looked for.
 */
final class BackReference implements ValueCheck {

	private volatile ValueCheck target = SAFE;

	private boolean used;

	BackReference use() {
		this.used = true;
		return this;
	}

	/**
	 * Set what this stands for.
	 * @param target the check of the type
	 * @return the check to use: itself only if the type contains itself
	 */
	ValueCheck resolve(ValueCheck target) {
		this.target = target;
		return this.used ? this : target;
	}

	@Override
	public @Nullable Unsafe check(Object value, @Nullable Ancestors ancestors) {
		Unsafe unsafe = Ancestors.refuse(ancestors, value);
		return (unsafe != null) ? unsafe : this.target.check(value, Ancestors.of(ancestors, value));
	}

}
