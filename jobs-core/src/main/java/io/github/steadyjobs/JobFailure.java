package io.github.steadyjobs;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Deque;
import java.util.List;

import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/**
 * One of the most recent failures of a job. These failures are stored with the job.
 *
 * @param time when the run failed, by the clock of the process that stored the failure
 * @param errorClass the name of the exception class
 * @param message the first line of the exception message, truncated to 500 characters;
 * empty if there was no message
 * @param process the process that ran the job; empty if unknown
 * @param ran how long the run took; {@code null} if unknown, for example because the
 * process died. For an ordered job, this time may include earlier payloads of the same
 * run that succeeded.
 */
public record JobFailure(Instant time, String errorClass, String message, String process, @Nullable Duration ran) {

	private static final int MOST = 10;

	/** Maximum total size of the stored failures of a job, in bytes. */
	private static final int MOST_BYTES = 4096;

	private static final int LONGEST_MESSAGE = 500;

	private static final int LONGEST_NAME = 255;

	private static final String TIME = "at";

	private static final String CLASS = "class";

	private static final String MESSAGE = "message";

	private static final String PROCESS = "process";

	private static final String RAN = "ran";

	/**
	 * Read stored failures. Other programs may have written them, so anything that is not
	 * a failure is skipped.
	 */
	static List<JobFailure> read(JsonNode stored) {
		List<JobFailure> failures = new ArrayList<>();
		int size = stored.isArray() ? stored.size() : 0;
		for (int i = Math.max(0, size - MOST); i < size; i++) {
			JsonNode json = stored.get(i);
			Long time = Envelope.number(json.path(TIME));
			String errorClass = text(json, CLASS);
			if (time != null && !errorClass.isEmpty()) {
				Long ran = Envelope.number(json.path(RAN));
				failures.add(new JobFailure(Instant.ofEpochMilli(time), errorClass, text(json, MESSAGE),
						text(json, PROCESS), (ran != null && ran >= 0) ? Duration.ofMillis(ran) : null));
			}
		}
		return Collections.unmodifiableList(failures);
	}

	private static String text(JsonNode json, String field) {
		return json.path(field).asString("");
	}

	/**
	 * Return the failures to store: this failure, preceded by as many of the newest
	 * stored failures as there is room for.
	 */
	ArrayNode addTo(JsonNode stored) {
		Deque<JsonNode> kept = new ArrayDeque<>();
		kept.add(write());
		int bytes = "[]".length() + size(kept.getFirst());
		for (int i = stored.isArray() ? stored.size() - 1 : -1; i >= 0 && kept.size() < MOST; i--) {
			JsonNode former = stored.get(i);
			bytes += ",".length() + size(former);
			if (bytes > MOST_BYTES) {
				break;
			}
			if (former.isObject()) {
				kept.addFirst(former);
			}
		}
		ArrayNode all = JsonNodeFactory.instance.arrayNode();
		kept.forEach(all::add);
		return all;
	}

	/**
	 * Return this failure as JSON. Even the longest names leave room for part of the
	 * message.
	 */
	private ObjectNode write() {
		ObjectNode json = JsonNodeFactory.instance.objectNode();
		json.put(TIME, this.time.toEpochMilli());
		json.put(CLASS, cut(this.errorClass, LONGEST_NAME));
		String message = cut(this.message.strip().lines().findFirst().orElse(""), LONGEST_MESSAGE);
		json.put(MESSAGE, message);
		json.put(PROCESS, cut(this.process, LONGEST_NAME));
		if (this.ran != null) {
			json.put(RAN, this.ran.toMillis());
		}
		while (size(json) > MOST_BYTES - "[]".length()) {
			message = cut(message, message.length() / 2);
			json.put(MESSAGE, message);
		}
		return json;
	}

	/**
	 * Truncate a text, but never in the middle of a surrogate pair: half a pair cannot be
	 * written as UTF-8.
	 */
	private static String cut(String text, int length) {
		if (text.length() <= length) {
			return text;
		}
		boolean halved = length > 0 && Character.isHighSurrogate(text.charAt(length - 1));
		return text.substring(0, halved ? length - 1 : length);
	}

	private static int size(JsonNode json) {
		return json.toString().getBytes(StandardCharsets.UTF_8).length;
	}

}
