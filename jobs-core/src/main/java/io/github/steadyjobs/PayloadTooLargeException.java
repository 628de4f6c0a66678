package io.github.steadyjobs;

/**
 * Thrown when the payload of a job exceeds {@code steadyjobs.payload-limit}. Nothing was
 * stored.
 */
public class PayloadTooLargeException extends InvalidJobException {

	private final long size;

	private final long limit;

	public PayloadTooLargeException(String name, long size, long limit) {
		super("The payload of job '%s' has %,d bytes, the limit is %,d. ".formatted(name, size, limit)
				+ "Store the data elsewhere and pass its key, or raise 'steadyjobs.payload-limit'.");
		this.size = size;
		this.limit = limit;
	}

	/** Return the size of the payload, in bytes of JSON. */
	public long getSize() {
		return this.size;
	}

	/** Return the limit that was exceeded, in bytes. */
	public long getLimit() {
		return this.limit;
	}

}
