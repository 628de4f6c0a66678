package io.github.steadyjobs.sidekiq;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

import org.jspecify.annotations.Nullable;

/**
 * The elements that a bridge has taken out of Sidekiq's lists and sorted sets.
 *
 * @param bridge the name of the bridge
 * @param number the number of the batch, one more than the number of the bridge's
 * previous batch
 * @param filledAt when the batch was filled, in milliseconds since the epoch
 * @param elements the elements; may be empty
 */
record Batch(String bridge, long number, long filledAt, List<Element> elements) {

	/**
	 * Read the answer from the script {@code exchange}.
	 * @return the batch; {@code null} if the bridge is not at the expected batch number
	 */
	static @Nullable Batch read(String bridge, long number, List<byte[]> answer) {
		String first = new String(answer.get(0), StandardCharsets.US_ASCII);
		if (first.equals("STALE")) {
			return null;
		}
		List<Element> elements = new ArrayList<>(answer.size() - 1);
		answer.subList(1, answer.size()).forEach((stored) -> elements.add(Element.read(stored)));
		return new Batch(bridge, number, Long.parseLong(first), elements);
	}

	/**
	 * An element of a batch.
	 *
	 * @param score its score in a sorted set, in seconds; {@code null} if it was in a
	 * list
	 * @param key the key that contained it, without the namespace
	 * @param json the job as Sidekiq has written it
	 */
	record Element(@Nullable Double score, String key, byte[] json) {

		private static final String QUEUE = "queue:";

		static Element read(byte[] stored) {
			int space = indexOf(stored, ' ', 0);
			int line = indexOf(stored, '\n', space);
			String score = new String(stored, 0, space, StandardCharsets.US_ASCII);
			return new Element(score.isEmpty() ? null : number(score),
					new String(stored, space + 1, line - space - 1, StandardCharsets.UTF_8),
					Arrays.copyOfRange(stored, line + 1, stored.length));
		}

		private static Double number(String score) {
			// Java reads 'Infinity', but Redis writes 'inf'.
			return switch (score) {
				case "inf" -> Double.POSITIVE_INFINITY;
				case "-inf" -> Double.NEGATIVE_INFINITY;
				default -> Double.valueOf(score);
			};
		}

		private static int indexOf(byte[] bytes, char wanted, int from) {
			int index = from;
			while (bytes[index] != wanted) {
				index++;
			}
			return index;
		}

		/**
		 * Return the Sidekiq queue whose list contained the element, or {@code null} if
		 * it was in a sorted set.
		 */
		@Nullable String queue() {
			return this.key.startsWith(QUEUE) ? this.key.substring(QUEUE.length()) : null;
		}

	}

}
