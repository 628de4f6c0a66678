package io.github.steadyjobs.sidekiq;

import java.time.Clock;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;

import io.github.steadyjobs.InvalidJobException;
import io.github.steadyjobs.client.JobRelay;
import io.github.steadyjobs.redis.NewJob;
import io.github.steadyjobs.sidekiq.Batch.Element;
import io.github.steadyjobs.sidekiq.Translation.Translated;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Stores the jobs of batches in Steady Jobs, with repeated calls if necessary. Thread
 * safe.
 */
final class BatchMover {

	/**
	 * For how long a call is repeated with the same name. Names of calls are remembered
	 * for an hour. After that, the call would be carried out once more, with ids of jobs
	 * that may still exist.
	 */
	private static final long ERA = TimeUnit.MINUTES.toMillis(50);

	private static final Logger logger = LoggerFactory.getLogger(BatchMover.class);

	private final Translation translation;

	private final JobRelay relay;

	private final String digest;

	private final String aside;

	private final Clock clock;

	/**
	 * The last batch of each bridge that this process has moved. A process moves the
	 * batches of few bridges: its own, and those of bridges that have died.
	 */
	private final Map<String, Progress> progress = new ConcurrentHashMap<>();

	private final Set<String> complained = ConcurrentHashMap.newKeySet();

	/**
	 * Create a mover.
	 * @param digest the digest of the configuration
	 * @param aside the key of the elements that cannot become jobs, for the log
	 */
	BatchMover(Translation translation, JobRelay relay, String digest, String aside, Clock clock) {
		this.translation = translation;
		this.relay = relay;
		this.digest = digest;
		this.aside = aside;
		this.clock = clock;
	}

	/**
	 * Return whether each element of a batch has a destination here, or is unreadable.
	 */
	boolean knowsAll(Batch batch) {
		return batch.elements().stream().allMatch(this.translation::isMapped);
	}

	/**
	 * Store the jobs of a batch. When this method returns, the jobs are stored. If it
	 * fails, the jobs of the queues that did not fail are stored, and not stored again
	 * when the call is repeated.
	 * @return the positions of the elements that cannot become jobs
	 * @throws io.github.steadyjobs.JobStoreException if it is unknown whether all jobs
	 * are stored; the call must then be repeated
	 */
	List<Integer> move(Batch batch) {
		String caller = caller(batch);
		List<Integer> refused = new ArrayList<>();
		Map<String, List<NewJob>> queues = new LinkedHashMap<>();
		for (int place = 0; place < batch.elements().size(); place++) {
			try {
				Translated translated = this.translation.translate(caller, batch, place);
				queues.computeIfAbsent(translated.queue(), (queue) -> new ArrayList<>()).add(translated.job());
			}
			catch (RuntimeException ex) {
				// Whatever the failure is, one element must not block all other elements.
				refused.add(place);
				complain(batch.elements().get(place), ex);
			}
		}
		store(caller, batch, queues);
		return refused;
	}

	private void store(String caller, Batch batch, Map<String, List<NewJob>> queues) {
		// Redis remembers a call for an hour only, but a queue may stay unavailable for
		// longer.
		Set<String> stored = this.progress
			.compute(batch.bridge(), (bridge, last) -> (last != null && last.isOf(batch)) ? last : Progress.of(batch))
			.stored();
		RuntimeException failure = null;
		for (Map.Entry<String, List<NewJob>> jobs : queues.entrySet()) {
			try {
				if (!stored.contains(jobs.getKey())) {
					this.relay.store(caller, batch.number(), jobs.getKey(), jobs.getValue());
					stored.add(jobs.getKey());
				}
			}
			catch (RuntimeException ex) {
				// One queue that is unavailable must not block all other queues.
				failure = (failure != null) ? failure : ex;
			}
		}
		if (failure != null) {
			throw failure;
		}
	}

	private String caller(Batch batch) {
		long era = Math.max(0, this.clock.millis() - batch.filledAt()) / ERA;
		return batch.bridge() + "." + this.digest + ((era > 0) ? "." + era : "");
	}

	private void complain(Element element, RuntimeException failure) {
		if (this.complained.add(element.key())) {
			// The messages of other exceptions may quote arguments.
			String reason = (failure instanceof InvalidJobException) ? failure.getMessage()
					: "of a " + failure.getClass().getName();
			logger.warn(
					"No job can be made of an element of Sidekiq's '{}', because {}. It is put aside, into the list '{}' "
							+ "of Sidekiq's Redis. This is logged once for each of Sidekiq's lists",
					element.key(), reason, this.aside);
		}
	}

	/**
	 * How far a batch has been moved.
	 *
	 * @param number the number of the batch
	 * @param filledAt when the batch was filled
	 * @param stored the local queues whose jobs are stored
	 */
	private record Progress(long number, long filledAt, Set<String> stored) {

		static Progress of(Batch batch) {
			return new Progress(batch.number(), batch.filledAt(), ConcurrentHashMap.newKeySet());
		}

		boolean isOf(Batch batch) {
			return this.number == batch.number() && this.filledAt == batch.filledAt();
		}

	}

}
