package io.github.steadyjobs;

import java.nio.charset.StandardCharsets;
import java.util.Locale;

import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * The fields of a stored job. The fields of a new job come first, in the order in which
 * they are written.
 */
public enum PayloadField {

	JID, CLASS, ARGS, QUEUE, RETRY, DEAD, RETRY_FOR, RETRY_QUEUE, BACKTRACE, EXPIRES_AT, TIMEOUT, CREATED_AT,
	ENQUEUED_AT, AT, KEY, TAGS, META, RETRY_COUNT, FAILED_AT, RETRIED_AT, ERROR_CLASS, ERROR_MESSAGE, ERROR_BACKTRACE,
	ATTEMPTS, UNBOUND, SCORE, UNREADABLE;

	private final String text = name().toLowerCase(Locale.ROOT);

	private final byte[] start = ((ordinal() == 0) ? "{\"%s\":" : ",\"%s\":").formatted(this.text)
		.getBytes(StandardCharsets.US_ASCII);

	/** Return the name of the field, as it is stored. */
	public String text() {
		return this.text;
	}

	/** Return the JSON that is written before the value; must not be changed. */
	public byte[] start() {
		return this.start;
	}

	JsonNode in(ObjectNode json) {
		return json.path(this.text);
	}

}
