package io.github.steadyjobs;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.regex.Pattern;

import org.jspecify.annotations.Nullable;

/**
 * Checks names, by rules that are the same wherever a name is accepted, and computes
 * digests of texts.
 */
public final class Names {

	/** The rule of {@link #isName}, as worded in messages. */
	public static final String RULE = "1 to 64 of the characters A-Za-z0-9_.- and no '-' at the start";

	/** The rule of {@link #isJobName}, as worded in messages. */
	public static final String JOB_RULE = "1 to 255 characters without white space and control characters";

	/** The rule of {@link #isKey}, as worded in messages. */
	public static final String KEY_RULE = "1 to 256 characters";

	// A brace would move a queue to another hash slot. A leading '-' is part of an
	// invalid weight, as in 'mail,-1', which must not be mistaken for a queue.
	private static final Pattern NAME = Pattern.compile("[A-Za-z0-9_.][A-Za-z0-9_.-]{0,63}");

	private static final Pattern JOB_NAME = Pattern.compile("[^\\s\\p{Cntrl}]{1,255}", Pattern.UNICODE_CHARACTER_CLASS);

	// The exponent is limited to a length that every parser reads quickly.
	private static final Pattern SCORE = Pattern.compile("-?\\d{1,310}(\\.\\d{1,30})?(E-?\\d{1,3})?");

	private static final int LONGEST_PRINTED = 255;

	private Names() {
	}

	/**
	 * Return whether a queue, a capsule, a recurring schedule, a consistency source or
	 * the prefix of all keys may have this name.
	 * @return whether the name has 1 to 64 of the characters {@code A-Za-z0-9_.-} and
	 * does not begin with {@code -}
	 */
	public static boolean isName(@Nullable String name) {
		return name != null && NAME.matcher(name).matches();
	}

	/**
	 * Return whether a job may have this name.
	 * @return whether the name has 1 to 255 characters, none of them white space or a
	 * control character
	 */
	public static boolean isJobName(@Nullable String name) {
		return name != null && JOB_NAME.matcher(name).matches();
	}

	/**
	 * Return whether an ordered job may have this key.
	 * @return whether the key has 1 to 256 characters
	 */
	public static boolean isKey(@Nullable String key) {
		return key != null && !key.isEmpty() && key.length() <= 256;
	}

	/**
	 * Return whether a payload of an ordered job may have this score.
	 * @return whether the score is a finite decimal number, such as {@code 7}, {@code
	 * -0.25} or {@code 1.5E20}
	 */
	public static boolean isScore(@Nullable String score) {
		return score != null && SCORE.matcher(score).matches() && Double.isFinite(Double.parseDouble(score));
	}

	/**
	 * Make any text fit on one line of a log file.
	 * @return the first 255 characters, with escape codes in place of invisible
	 * characters and line breaks; followed by an ellipsis if the text is longer
	 */
	public static String printable(String text) {
		StringBuilder printable = new StringBuilder();
		text.codePoints()
			.limit(LONGEST_PRINTED)
			.forEach((point) -> printable
				.append(isPrintable(point) ? Character.toString(point) : "\\u%04x".formatted(point)));
		return (text.length() > LONGEST_PRINTED) ? printable.append('…').toString() : printable.toString();
	}

	/** Return the SHA-256 hash of a text in UTF-8, as 32 bytes. */
	public static byte[] sha256(String text) {
		return sha256(text.getBytes(StandardCharsets.UTF_8));
	}

	/** Return the SHA-256 hash of several concatenated pieces, as 32 bytes. */
	public static byte[] sha256(byte[]... pieces) {
		MessageDigest digest = Sha256.newDigest();
		for (byte[] piece : pieces) {
			digest.update(piece);
		}
		return digest.digest();
	}

	private static boolean isPrintable(int point) {
		return switch (Character.getType(point)) {
			case Character.CONTROL, Character.FORMAT, Character.LINE_SEPARATOR, Character.PARAGRAPH_SEPARATOR,
					Character.SURROGATE, Character.UNASSIGNED ->
				false;
			default -> true;
		};
	}

	/** Copies a digest, because looking it up takes as long as hashing a job. */
	private static final class Sha256 {

		private static final MessageDigest UNUSED = lookUp();

		static MessageDigest newDigest() {
			try {
				return (MessageDigest) UNUSED.clone();
			}
			catch (CloneNotSupportedException ex) {
				return lookUp();
			}
		}

		private static MessageDigest lookUp() {
			try {
				return MessageDigest.getInstance("SHA-256");
			}
			catch (NoSuchAlgorithmException ex) {
				throw new IllegalStateException("SHA-256, which every Java platform has, is missing", ex);
			}
		}

	}

}
