package io.github.steadyjobs.server;

import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

import io.github.steadyjobs.JobStoreException;
import io.github.steadyjobs.definition.JobDefinition;
import io.github.steadyjobs.definition.JobRegistry;
import io.github.steadyjobs.redis.ParkedStore;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Brings parked jobs back when the reason for parking no longer holds: this process can
 * run jobs that others cannot, a pause has ended, a gate has opened, or a move was
 * interrupted. A search reads all parked jobs of a queue, so searches are made only for
 * these causes. All methods except {@link #answered} and {@link #oweAll} must be called
 * by one thread at a time.
 */
final class ParkedJobs implements PresenceListener {

	private static final String MOVING = "moving:";

	/** After this time, a move that has not ended counts as interrupted. */
	private static final long MOVED_WITHIN = Duration.ofSeconds(10).toNanos();

	/** A search that takes this long is followed by a pause. */
	private static final long LONG_LOOK = Duration.ofMillis(100).toNanos();

	/**
	 * The length of the pause relative to the search, so that searches take at most 2% of
	 * the time.
	 */
	private static final int PAUSE_FACTOR = 50;

	private static final Logger logger = LoggerFactory.getLogger(ParkedJobs.class);

	private final ParkedStore store;

	private final JobRegistry registry;

	private final Gates gates;

	private final Consumer<String> look;

	private final Executor chores;

	private final Set<String> met = ConcurrentHashMap.newKeySet();

	private final Map<String, State> states = new HashMap<>();

	/**
	 * Create an instance.
	 * @param registry the jobs that this process can run
	 * @param look called with the name of a queue that the capsules must check at once
	 * @param chores runs the searches
	 */
	ParkedJobs(ParkedStore store, JobRegistry registry, Gates gates, Consumer<String> look, Executor chores) {
		this.store = store;
		this.registry = registry;
		this.gates = gates;
		this.look = look;
		this.chores = chores;
	}

	@Override
	public void answered(String queue, Beat beat) {
		boolean first = this.met.add(queue);
		if (beat.parked().now() > 0) {
			this.chores.execute(() -> judge(queue, beat, first));
		}
	}

	private void judge(String queue, Beat beat, boolean first) {
		State state = state(queue);
		state.starts |= first;
		long changes = beat.data().seq();
		// After a loss of data it is unknown which reasons have been checked.
		long since = (changes < state.judged) ? 0 : state.judged;
		state.owed |= first || beat.parked().isSince(since, this::canRun);
		if (state.movesEnd == 0 && beat.parked().isSince(since, (reason) -> reason.startsWith(MOVING))) {
			state.movesEnd = System.nanoTime() + MOVED_WITHIN;
		}
		state.judged = changes;
		lookThrough(queue, state);
	}

	/** Search the parked jobs of a queue soon, because some of them may continue. */
	void owe(String queue) {
		State state = state(queue);
		state.owed = true;
		lookThrough(queue, state);
	}

	/** Search the parked jobs of all queues soon, because a gate has opened. */
	void oweAll() {
		this.chores.execute(() -> this.met.forEach(this::owe));
	}

	private State state(String queue) {
		return this.states.computeIfAbsent(queue, (name) -> new State());
	}

	private void lookThrough(String queue, State state) {
		long begun = System.nanoTime();
		boolean isDue = state.owed || (state.movesEnd != 0 && begun - state.movesEnd >= 0);
		if (!isDue || (state.pauseEnd != 0 && begun - state.pauseEnd < 0)) {
			return;
		}
		ParkedStore.Found found;
		try {
			found = this.store.lookThrough(queue, reasonsOfOthers(state.starts));
		}
		catch (JobStoreException ex) {
			logger.debug("Parked jobs of queue {} will be looked at again", queue, ex);
			return;
		}
		long ended = System.nanoTime();
		state.owed = false;
		state.starts = false;
		state.movesEnd = (found.nextBack() < 0) ? 0 : ended + TimeUnit.MILLISECONDS.toNanos(found.nextBack());
		state.pauseEnd = (ended - begun > LONG_LOOK) ? ended + PAUSE_FACTOR * (ended - begun) : 0;
		if (found.moved() + found.back() > 0) {
			this.look.accept(queue);
			logger.info("{} parked jobs of queue {} continue. {} moves to other queues were interrupted", found.moved(),
					queue, found.back());
		}
	}

	/** Return whether this process can run jobs that were parked for the given reason. */
	private boolean canRun(String reason) {
		if (reason.startsWith(Parking.UNKNOWN)) {
			return this.registry.find(reason.substring(Parking.UNKNOWN.length())) != null;
		}
		int end = reason.lastIndexOf('/');
		JobDefinition definition = (reason.startsWith(Parking.UNBOUND) && end > 0)
				? this.registry.find(reason.substring(Parking.UNBOUND.length(), end)) : null;
		return this.gates.isOpen(reason)
				|| (definition != null && !reason.substring(end).contains(definition.parameters().signature()));
	}

	/**
	 * Return the reasons that do not keep jobs from running in this process.
	 * @param starting whether to include jobs whose arguments did not fit a method with
	 * the same signature in another process
	 */
	private List<String> reasonsOfOthers(boolean starting) {
		List<String> reasons = new ArrayList<>(this.gates.open());
		for (String name : this.registry.names()) {
			JobDefinition definition = starting ? null : this.registry.find(name);
			String signature = (definition != null) ? definition.parameters().signature() : "";
			reasons.add(Parking.UNKNOWN + name);
			reasons.add(Parking.UNBOUND + name + "/" + signature);
		}
		return reasons;
	}

	/**
	 * The state of the searches in a queue. Times are values of
	 * {@link System#nanoTime()}; 0 if not set.
	 */
	private static final class State {

		/** The number of changes to the data set at the last check of the reasons. */
		private long judged;

		private boolean starts;

		private boolean owed;

		/** When moves that are still under way begin to count as interrupted. */
		private long movesEnd;

		private long pauseEnd;

	}

}
