package io.github.steadyjobs.definition;

/**
 * What a job says about a second run with the same arguments.
 */
public enum Declaration {

	/**
	 * Nothing.
	 */
	UNDECLARED,

	/**
	 * That it has an effect of its own: {@link io.github.steadyjobs.NotIdempotent}.
	 */
	NOT_IDEMPOTENT,

	/**
	 * That it has none: {@link io.github.steadyjobs.Idempotent}.
	 */
	IDEMPOTENT

}
