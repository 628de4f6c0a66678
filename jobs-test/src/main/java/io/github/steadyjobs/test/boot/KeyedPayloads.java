package io.github.steadyjobs.test.boot;

import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

import io.github.steadyjobs.client.Admission.Kind;
import org.jspecify.annotations.Nullable;

/**
 * The payloads of one key in memory. They merge by the same rules as in Redis: a test
 * compares this class with the scripts, for random pushes, claims, ends of runs and
 * crashes.
 *
 * @param <H> the head of the job: what is stored besides the payloads, such as the
 * failures and the due time
 */
final class KeyedPayloads<H> {

	private static final int MOST_CHARACTERS = 64 * 1024 * 1024;

	private static final int MOST_IN_A_RUN = 1000;

	private static final int MOST_CHARACTERS_IN_A_RUN = 1024 * 1024;

	private final int most;

	private List<Entry> waiting = new ArrayList<>();

	private List<Entry> gathered = new ArrayList<>();

	private List<Entry> running = List.of();

	private @Nullable H head;

	private @Nullable H gatheredHead;

	private boolean runs;

	/**
	 * Create the payloads of a key.
	 * @param most the maximum number of payloads that wait
	 */
	KeyedPayloads(int most) {
		this.most = most;
	}

	/**
	 * Add a payload to those that wait or, while the job of the key is running, to those
	 * that wait for the next run. If other payloads are waiting there, their head stays
	 * as it is.
	 */
	Kind push(Entry entry, H head) {
		List<Entry> target = this.runs ? this.gathered : this.waiting;
		if (target.isEmpty()) {
			target.add(entry);
			if (this.runs) {
				this.gatheredHead = head;
				return Kind.MERGED;
			}
			this.head = head;
			return Kind.STORED;
		}
		if (indexOf(entry, target) < 0 && isFull(target, entry)) {
			return Kind.FULL;
		}
		merge(target, entry);
		return Kind.MERGED;
	}

	/**
	 * Return whether there is no room for another payload. If all payloads fit into one
	 * run, they must fit together with those that run.
	 */
	private boolean isFull(List<Entry> target, Entry entry) {
		boolean inOneRun = this.most <= MOST_IN_A_RUN;
		List<Entry> others = inOneRun ? this.running : List.of();
		int size = Stream.concat(target.stream(), others.stream()).mapToInt(Entry::size).sum() + entry.size();
		return target.size() + others.size() >= this.most
				|| size > (inOneRun ? MOST_CHARACTERS_IN_A_RUN : MOST_CHARACTERS);
	}

	/**
	 * Begin a run with the payloads that wait, the smallest score first. If a run cannot
	 * take all of them, the others wait for the next run.
	 * @param next the head of the next job, if payloads are left
	 */
	List<Entry> begin(H next) {
		int count = 0;
		int size = 0;
		while (count < Math.min(this.waiting.size(), MOST_IN_A_RUN)) {
			size += this.waiting.get(count).size();
			if (count > 0 && size > MOST_CHARACTERS_IN_A_RUN) {
				break;
			}
			count++;
		}
		this.running = List.copyOf(this.waiting.subList(0, count));
		this.gathered = new ArrayList<>(this.waiting.subList(count, this.waiting.size()));
		this.gatheredHead = this.gathered.isEmpty() ? null : next;
		this.waiting = new ArrayList<>();
		this.runs = true;
		return this.running;
	}

	/**
	 * End the run.
	 * @param left the payloads that have not ended
	 * @param head the head of the job if it has payloads left
	 */
	void end(List<Entry> left, @Nullable H head) {
		this.runs = false;
		this.running = List.of();
		this.head = left.isEmpty() ? this.gatheredHead : head;
		this.waiting = new ArrayList<>(left);
		// One by one: at the end of a run, Redis merges the payloads as if they had been
		// pushed one after another.
		this.gathered.forEach((entry) -> merge(this.waiting, entry));
		this.gathered = new ArrayList<>();
		this.gatheredHead = null;
	}

	private static void merge(List<Entry> entries, Entry added) {
		int known = indexOf(added, entries);
		if (known >= 0) {
			if (added.value().compareTo(entries.get(known).value()) >= 0) {
				return;
			}
			entries.remove(known);
		}
		int low = 0;
		int high = entries.size();
		while (low < high) {
			int middle = (low + high) / 2;
			if (entries.get(middle).value().compareTo(added.value()) <= 0) {
				low = middle + 1;
			}
			else {
				high = middle;
			}
		}
		entries.add(low, added);
	}

	private static int indexOf(Entry entry, List<Entry> entries) {
		int index = entries.size() - 1;
		while (index >= 0 && !entries.get(index).arguments().equals(entry.arguments())) {
			index--;
		}
		return index;
	}

	boolean isRunning() {
		return this.runs;
	}

	/** Return the payloads that wait, the smallest score first. */
	List<Entry> waiting() {
		return this.waiting;
	}

	/** Return the payloads that run. */
	List<Entry> running() {
		return this.running;
	}

	/** Return the head of the job, {@code null} if it has no payloads. */
	@Nullable H head() {
		return this.head;
	}

	/**
	 * A payload.
	 *
	 * @param score a decimal number
	 * @param arguments a JSON array
	 */
	record Entry(String score, String arguments) {

		private BigDecimal value() {
			return new BigDecimal(this.score);
		}

		private int size() {
			return this.score.length() + this.arguments.length() + 2;
		}

		@Override
		public String toString() {
			return this.score + " " + this.arguments;
		}

	}

}
