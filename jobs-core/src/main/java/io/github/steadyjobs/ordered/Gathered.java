package io.github.steadyjobs.ordered;

import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

import io.github.steadyjobs.InvalidJobException;
import io.github.steadyjobs.JobPayload;
import io.github.steadyjobs.PayloadField;
import io.github.steadyjobs.redis.PayloadCodec;
import io.github.steadyjobs.redis.QueueRef;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.JsonNodeFactory;

/**
 * The stored form of an ordered job. The first line is the envelope, which every job has.
 * Each further line is a payload that was collected for the key: its score, a space and
 * its arguments. The smallest score comes first. JSON written by this library contains no
 * newlines. Immutable.
 */
public final class Gathered {

	private static final byte NEWLINE = '\n';

	private final byte[] stored;

	private final int head;

	/** The offset of each payload line, followed by the offset of the end. */
	private final List<Integer> lines;

	private Gathered(byte[] stored, int head, List<Integer> lines) {
		this.stored = stored;
		this.head = head;
		this.lines = lines;
	}

	/** Read a stored job. If it has no payloads, it consists of the envelope only. */
	public static Gathered read(byte[] stored) {
		int head = find(stored, NEWLINE, 0);
		List<Integer> lines = new ArrayList<>(2);
		for (int start = head + 1; start < stored.length; start = find(stored, NEWLINE, start) + 1) {
			lines.add(start);
		}
		lines.add(stored.length);
		return new Gathered(stored, head, lines);
	}

	private static int find(byte[] bytes, byte wanted, int from) {
		int index = from;
		while (index < bytes.length && bytes[index] != wanted) {
			index++;
		}
		return index;
	}

	/**
	 * Read a job that is stored in a queue or in a part of a queue.
	 * @param queue the name of the queue or the part
	 * @return the job; if it is ordered, with its next payload
	 * @throws InvalidJobException if the job cannot be read
	 */
	public static JobPayload next(PayloadCodec codec, String queue, byte[] stored) {
		return QueueRef.isPart(queue) ? read(stored).first(codec) : codec.read(stored);
	}

	/**
	 * Return the stored form of a job with one payload.
	 * @param envelope the job, without arguments
	 * @param score a decimal number, or {@code null} for the time at which Redis receives
	 * the job
	 * @param arguments a JSON array
	 */
	public static byte[] write(PayloadCodec codec, byte[] envelope, @Nullable String score, byte[] arguments) {
		return write(onOneLine(codec, envelope), (score != null) ? score : "", onOneLine(codec, arguments));
	}

	/** Remove newlines from JSON, because a custom serializer may write newlines. */
	private static byte[] onOneLine(PayloadCodec codec, byte[] json) {
		return (find(json, NEWLINE, 0) < json.length)
				? codec.mapper().readTree(json).toString().getBytes(StandardCharsets.UTF_8) : json;
	}

	/**
	 * Return the stored form of a job with one payload.
	 * @param envelope the job, without arguments, on one line
	 * @param score a decimal number, or empty for the time at which Redis receives the
	 * job
	 * @param arguments a JSON array, on one line
	 */
	public static byte[] write(byte[] envelope, String score, byte[] arguments) {
		ByteArrayOutputStream bytes = new ByteArrayOutputStream(
				envelope.length + score.length() + arguments.length + 3);
		bytes.writeBytes(envelope);
		bytes.write(NEWLINE);
		bytes.writeBytes(score.getBytes(StandardCharsets.ISO_8859_1));
		bytes.write(' ');
		bytes.writeBytes(arguments);
		bytes.write(NEWLINE);
		return bytes.toByteArray();
	}

	/** Return the number of payloads. */
	public int size() {
		return this.lines.size() - 1;
	}

	public byte[] envelope() {
		return Arrays.copyOf(this.stored, this.head);
	}

	/**
	 * Return the score of a payload.
	 * @return a decimal number
	 */
	public String score(int index) {
		int start = this.lines.get(index);
		return new String(this.stored, start, find(this.stored, (byte) ' ', start) - start,
				StandardCharsets.ISO_8859_1);
	}

	/**
	 * Return the arguments of a payload.
	 * @return bytes that should be a JSON array, but might not be
	 */
	public byte[] arguments(int index) {
		int end = this.lines.get(index + 1);
		int start = Math.min(find(this.stored, (byte) ' ', this.lines.get(index)) + 1, end);
		return Arrays.copyOfRange(this.stored, start, Math.max(start, end - 1));
	}

	/**
	 * Return the job with its next payload, or the job itself if it has no payloads.
	 * @throws InvalidJobException if the job cannot be read
	 */
	public JobPayload first(PayloadCodec codec) {
		JobPayload job = codec.read(envelope());
		return (size() > 0) ? job.withArguments(codec.mapper(), arguments(0)) : job;
	}

	/**
	 * Return the job of a dead payload, with only the failures of that payload, which are
	 * the last failures of its key.
	 * @param count the number of failures to keep
	 */
	public static JobPayload withLastFailures(JobPayload job, int count) {
		int size = failures(job);
		return withFailures(job, Math.max(0, size - count), size);
	}

	/**
	 * Return the job of a key that continues without a payload, and without the failures
	 * of that payload, which are the last failures of the key.
	 * @param count the number of failures to remove
	 */
	public static JobPayload withoutLastFailures(JobPayload job, int count) {
		return withFailures(job, 0, Math.max(0, failures(job) - count));
	}

	private static int failures(JobPayload job) {
		JsonNode all = job.field(PayloadField.ATTEMPTS.text());
		return all.isArray() ? all.size() : 0;
	}

	private static JobPayload withFailures(JobPayload job, int from, int to) {
		if (to - from == failures(job)) {
			return job;
		}
		JsonNode all = job.field(PayloadField.ATTEMPTS.text());
		ArrayNode some = JsonNodeFactory.instance.arrayNode();
		for (int index = from; index < to; index++) {
			some.add(all.path(index));
		}
		return job.with((json) -> {
			json.remove(PayloadField.ATTEMPTS.text());
			if (!some.isEmpty()) {
				json.set(PayloadField.ATTEMPTS.text(), some);
			}
		});
	}

	/**
	 * Return the size of the payloads after the first {@code count}, with their scores.
	 * @param count the number of payloads that are left out
	 * @return the size in bytes
	 */
	public int sizeBehind(int count) {
		return this.stored.length - this.lines.get(count);
	}

	/**
	 * Return the bytes to store after some payloads have ended.
	 * @param envelope the job, without arguments
	 * @param done the number of payloads at the beginning that have ended
	 * @param other the index of another payload that has ended, or -1
	 */
	public byte[] rest(byte[] envelope, int done, int other) {
		ByteArrayOutputStream bytes = new ByteArrayOutputStream(envelope.length + 1 + sizeBehind(done));
		bytes.writeBytes(envelope);
		bytes.write(NEWLINE);
		for (int index = done; index < size(); index++) {
			if (index != other) {
				int start = this.lines.get(index);
				bytes.write(this.stored, start, this.lines.get(index + 1) - start);
			}
		}
		return bytes.toByteArray();
	}

}
