package io.github.steadyjobs.ordered;

import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

import io.github.steadyjobs.InvalidJobException;
import io.github.steadyjobs.JobPayload;
import io.github.steadyjobs.redis.PayloadCodec;
import io.github.steadyjobs.redis.QueueRef;
import org.jspecify.annotations.Nullable;

/**
 * What is stored for an ordered job: the envelope that any job has, a newline, and a line
 * for each payload that has gathered for the key, with its score, a space and its
 * arguments. The smallest score comes first. JSON written by this library contains no
 * newlines. Immutable.
 */
public final class Gathered {

	private static final byte NEWLINE = '\n';

	private final byte[] stored;

	private final int head;

	/** Where each line begins, and where the last one ends. */
	private final List<Integer> lines;

	private Gathered(byte[] stored, int head, List<Integer> lines) {
		this.stored = stored;
		this.head = head;
		this.lines = lines;
	}

	/** Read what is stored. Without payloads it is just an envelope. */
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
	 * Read a job that is stored in a queue, or in a part of one.
	 * @param queue the name of the queue or of parts of it
	 * @return the job; of one with payloads for a key, with the next one
	 * @throws InvalidJobException if it cannot be read
	 */
	public static JobPayload next(PayloadCodec codec, String queue, byte[] stored) {
		return QueueRef.isPart(queue) ? read(stored).first(codec) : codec.read(stored);
	}

	/**
	 * Return what is stored for a job with one payload.
	 * @param envelope the job, without arguments
	 * @param score a decimal number, or {@code null} for the time at which Redis gets it
	 * @param arguments a JSON array
	 */
	public static byte[] write(PayloadCodec codec, byte[] envelope, @Nullable String score, byte[] arguments) {
		return write(onOneLine(codec, envelope), (score != null) ? score : "", onOneLine(codec, arguments));
	}

	/**
	 * Remove newlines from JSON, because a serializer of the application may write some.
	 */
	private static byte[] onOneLine(PayloadCodec codec, byte[] json) {
		return (find(json, NEWLINE, 0) < json.length)
				? codec.mapper().readTree(json).toString().getBytes(StandardCharsets.UTF_8) : json;
	}

	/**
	 * Return what is stored for a job with one payload, all of it on one line each.
	 * @param envelope the job, without arguments
	 * @param score a decimal number, or empty for the time at which Redis gets it
	 * @param arguments a JSON array
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

	/** Return how many payloads there are. */
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
	 * @return what should be a JSON array
	 */
	public byte[] arguments(int index) {
		int end = this.lines.get(index + 1);
		int start = Math.min(find(this.stored, (byte) ' ', this.lines.get(index)) + 1, end);
		return Arrays.copyOfRange(this.stored, start, Math.max(start, end - 1));
	}

	/**
	 * Return the job with the payload that is next, or as it is if it has none.
	 * @throws InvalidJobException if it cannot be read
	 */
	public JobPayload first(PayloadCodec codec) {
		JobPayload job = codec.read(envelope());
		return (size() > 0) ? job.withArguments(codec.mapper(), arguments(0)) : job;
	}

	/**
	 * Return the size of the payloads after the first ones, with their scores.
	 * @return bytes
	 */
	public int sizeBehind(int count) {
		return this.stored.length - this.lines.get(count);
	}

	/**
	 * Return what to store after some payloads have ended.
	 * @param envelope the job, without arguments
	 * @param done how many of the first have ended
	 * @param other the index of another one that has ended, or -1
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
