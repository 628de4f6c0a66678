package io.github.steadyjobs.recurring;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.HashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;

import io.github.steadyjobs.JobOutcome;
import io.github.steadyjobs.JobStoreException;
import io.github.steadyjobs.client.Admission;
import io.github.steadyjobs.client.PreparingJobClient.Prepared;
import io.github.steadyjobs.recurring.Declarations.Effective;
import io.github.steadyjobs.recurring.RecurringState.LastTick;
import io.github.steadyjobs.recurring.RecurringTick.Decision;
import io.github.steadyjobs.redis.Answers;
import io.github.steadyjobs.redis.Declared;
import io.github.steadyjobs.redis.JobScript;
import io.github.steadyjobs.redis.NewJob;
import io.github.steadyjobs.redis.QueuePart;
import io.github.steadyjobs.redis.RedisConnections;
import io.github.steadyjobs.redis.ScriptCall;
import io.github.steadyjobs.redis.StoreCalls;
import org.jspecify.annotations.Nullable;

/**
 * Stores recurring jobs in Redis. One hash records which process declares which recurring
 * jobs. Definitions that are in force are stored in their queues, so that one script
 * handles a tick and its job. Calls that are refused or not answered fail with a
 * {@link JobStoreException}. Thread safe.
 */
final class TickStore {

	static final JobScript SCHEDULE = JobScript.of(TickStore.class, "schedule");

	static final JobScript TICK = JobScript.of(TickStore.class, "tick");

	static final JobScript TICKS = JobScript.of(TickStore.class, "ticks");

	private static final int MOST_AT_ONCE = 300;

	private static final NewJob NO_JOB = new NewJob("", new byte[0], null);

	private final StoreCalls calls;

	/** The result of {@link #now()} when {@link System#nanoTime()} was zero. */
	private volatile Instant zero = Instant.now().minusNanos(System.nanoTime());

	TickStore(RedisConnections connections, String prefix) {
		this.calls = StoreCalls.inBackground(connections, prefix);
	}

	/** Return the time of Redis or, until Redis has answered once, of this machine. */
	Instant now() {
		return this.zero.plusNanos(System.nanoTime());
	}

	/**
	 * Read the declarations. If they still have the given version, the answer contains no
	 * fields. Pass an empty version to read the fields in any case.
	 */
	Declared read(String version) {
		return declared(Declared.read(this.calls.keys().recurring(), version));
	}

	/**
	 * Change up to 1,000 fields of the declarations, provided that they still have the
	 * given version.
	 */
	Declared change(String version, Map<String, @Nullable String> changes) {
		return declared(Declared.change(this.calls.keys().recurring(), Declared.VERSION, version,
				Declared.after(version, now()), changes));
	}

	private Declared declared(ScriptCall call) {
		Declared answer = Declared.of(this.calls.run(call));
		this.zero = answer.now().minusNanos(System.nanoTime());
		return answer;
	}

	/**
	 * Put definitions in force, or take them out of force.
	 * @param version the version of the declarations
	 * @param wanted the states that the recurring jobs should have
	 * @return {@code false} if a newer version is in force, or a tick has been handled in
	 * the meantime
	 */
	boolean schedule(String queue, String version, Map<String, State> wanted) {
		this.calls.makeKnown(queue);
		boolean done = true;
		for (List<String> some : parts(wanted.keySet())) {
			ScriptCall call = this.calls.to(SCHEDULE, queue).add(version);
			some.forEach((name) -> {
				State state = wanted.getOrDefault(name, State.NONE);
				call.add(name).add(state.digest()).add(millis(state.next()));
			});
			done &= this.calls.text(call).equals("D");
		}
		return done;
	}

	/** Read the states of recurring jobs in a queue. */
	Map<String, State> states(String queue, Collection<String> names) {
		Map<String, State> states = new HashMap<>();
		for (List<String> some : parts(names)) {
			ScriptCall call = this.calls.to(TICKS, queue);
			some.forEach(call::add);
			Iterator<String> answer = this.calls.run(call).stream().map(Answers::ascii).iterator();
			some.forEach((name) -> states.put(name, State.of(answer.next(), answer.next(), answer.next())));
		}
		return states;
	}

	private static List<List<String>> parts(Collection<String> names) {
		List<String> all = List.copyOf(names);
		return IntStream.iterate(0, (from) -> from < all.size(), (from) -> from + MOST_AT_ONCE)
			.mapToObj((from) -> all.subList(from, Math.min(all.size(), from + MOST_AT_ONCE)))
			.toList();
	}

	/**
	 * Handle up to 1,000 ticks of a queue. The ticks of each recurring job must be in
	 * order of time.
	 */
	List<Seen> tick(String queue, List<Tick> ticks) {
		ScriptCall call = this.calls.to(TICK, queue);
		for (Tick tick : ticks) {
			call.add(tick.effective().name())
				.add(String.join(" ", tick.effective().digest(), millis(tick.first()), millis(tick.last()),
						millis(tick.due()), millis(tick.next()), tick.decision().letter()));
			NewJob job = tick.job();
			call.add(job.id())
				.add(job.payload())
				.add((job.expiry() != null) ? job.expiry().after(0) : "")
				.add(job.lock());
		}
		List<Object> answer = this.calls.run(call);
		if (Answers.text(answer, 0).equals("UPGRADE")) {
			throw new JobStoreException(
					"A newer version of Steady Jobs has changed the layout of queue '%s'; its recurring jobs are left to updated applications"
						.formatted(queue));
		}
		Instant now = Instant.ofEpochMilli(Answers.number(answer, 1));
		this.zero = now.minusNanos(System.nanoTime());
		return IntStream.range(0, ticks.size())
			.mapToObj((i) -> Seen.of(ticks.get(i), now, Answers.text(answer, 2 * i + 2),
					time(Answers.text(answer, 2 * i + 3))))
			.toList();
	}

	/**
	 * Record how a run of a recurring job has ended, if it belongs to the latest tick.
	 * Neither waits nor throws an exception.
	 */
	void ended(String queue, String name, String job, JobOutcome outcome, Duration ran) {
		byte[] ticked = this.calls.keys().queue(queue).get(QueuePart.TICKED);
		this.calls.commands().hashValues(List.of(ticked), name).get(0).thenAccept((state) -> {
			if (state != null && new String(state, StandardCharsets.UTF_8).endsWith(" " + job)) {
				this.calls.commands().setField(ticked, "=" + name, "%s %s %d".formatted(job, outcome, ran.toMillis()));
			}
		});
	}

	private static String millis(@Nullable Instant time) {
		return (time != null) ? Long.toString(time.toEpochMilli()) : "-";
	}

	private static @Nullable Instant time(String millis) {
		return (millis.isEmpty() || millis.equals("-")) ? null
				: Instant.ofEpochMilli((long) Double.parseDouble(millis));
	}

	/**
	 * The state of a recurring job in a queue, as {@code schedule.lua} and {@code
	 * tick.lua} store it.
	 *
	 * @param next the next tick, without its jitter; {@code null} if there is no next
	 * tick
	 * @param digest the digest of the definition in force; '-' if the recurring job is
	 * paused, empty if the queue does not know it
	 * @param last the latest tick, without its jitter; {@code null} if there has been no
	 * tick
	 */
	record State(@Nullable Instant next, String digest, @Nullable LastTick last) {

		static final State NONE = new State(null, "", null);

		static final State PAUSED = new State(null, "-", null);

		static State of(String next, String state, String run) {
			String[] parts = (state + " - - - -").split(" ");
			String[] ended = run.split(" ");
			Instant due = time(parts[1]);
			Instant at = time(parts[2]);
			boolean isOfLast = ended.length == 3 && ended[0].equals(parts[4]);
			return new State(time(next), parts[0],
					(due == null || at == null) ? null
							: new LastTick(due, at, Decision.of(parts[3]), parts[4].equals("-") ? null : parts[4],
									isOfLast ? JobOutcome.valueOf(ended[1]) : null,
									Duration.ofMillis(isOfLast ? Long.parseLong(ended[2]) : 0)));
		}

	}

	/**
	 * A tick to be handled, in the form that {@code tick.lua} takes.
	 *
	 * @param first the earliest tick that has not been handled yet; ticks from this tick
	 * up to, but not including, {@code last} are skipped
	 * @param last the tick itself
	 * @param due when the tick is due, with its jitter
	 * @param skipped the events for the skipped ticks
	 */
	record Tick(Effective effective, Instant first, Instant last, Instant due, @Nullable Instant next,
			Decision decision, @Nullable Prepared prepared, List<RecurringTick> skipped) {

		NewJob job() {
			return (this.prepared != null) ? this.prepared.job() : NO_JOB;
		}

	}

	/**
	 * The result of a tick.
	 *
	 * @param next the next tick in force, {@code null} if there is no such tick or
	 * another definition is in force
	 * @param admission the admission of the job of the tick; {@code null} if the tick was
	 * not handled, for example because another process has handled it
	 */
	record Seen(Tick tick, Instant now, @Nullable Instant next, @Nullable Admission admission) {

		static Seen of(Tick tick, Instant now, String answer, @Nullable Instant next) {
			return new Seen(tick, now, next, answer.equals("G") ? null : Admission.of(answer, 1).get(0));
		}

	}

}
