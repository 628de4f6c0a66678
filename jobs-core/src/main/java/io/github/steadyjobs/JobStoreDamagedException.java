package io.github.steadyjobs;

/**
 * Thrown when a key in Redis holds something that it must not hold. Nothing was changed.
 */
public class JobStoreDamagedException extends JobStoreException {

	/**
	 * Create an exception.
	 * @param message which key it is, as far as known
	 * @param cause what Redis reported
	 */
	public JobStoreDamagedException(String message, Throwable cause) {
		super(message, cause);
	}

}
