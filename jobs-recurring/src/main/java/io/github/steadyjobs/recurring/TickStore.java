package io.github.steadyjobs.recurring;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

import io.github.steadyjobs.JobOutcome;
import io.github.steadyjobs.JobStoreException;
import io.github.steadyjobs.client.Admission;
import io.github.steadyjobs.client.PreparingJobClient.Prepared;
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
 * Recurring jobs in Redis. One hash records who declares which. Definitions in force are
 * in their queues, so that one script handles a tick and its job.
 * <p>
 * Each call fails with a {@link JobStoreException} if Redis refused, is not reachable or
 * did not answer. Thread safe.
 */
final class TickStore {

	static final JobScript SCHEDULE = JobScript.of(TickStore.class, "schedule");

	static final JobScript TICK = JobScript.of(TickStore.class, "tick");

	static final JobScript TICKS = JobScript.of(TickStore.class, "ticks");

	private static final int SCHEDULED_AT_ONCE = 300;

	private static final int READ_AT_ONCE = 1000;

	private final StoreCalls calls;

	TickStore(RedisConnections connections, String prefix) {
		this.calls = StoreCalls.inBackground(connections, prefix);
	}

	/** Return what is declared after a version that the caller knows, empty for none. */
	Declared read(String version) {
		return Declared.of(this.calls.run(Declared.read(this.calls.keys().recurring(), version)));
	}

	/**
	 * Change the declared recurring jobs, if they have not been changed meanwhile.
	 * @param changes up to 1,000 fields, with {@code null} for those to be removed
	 */
	Declared change(String version, Instant now, Map<String, @Nullable String> changes) {
		return Declared.of(this.calls.run(Declared.change(this.calls.keys().recurring(), Declared.VERSION, version,
				Declared.after(version, now), changes)));
	}

	/**
	 * Put definitions in force, or take them out of force.
	 * @param version that of the declarations; empty to ignore which one is in force
	 * @return {@code false} if something newer is in force, or a tick was handled
	 * meanwhile
	 */
	boolean schedule(String queue, String version, Collection<Entry> entries) {
		List<Entry> all = List.copyOf(entries);
		this.calls.makeKnown(queue);
		boolean done = true;
		for (int from = 0; from < all.size(); from += SCHEDULED_AT_ONCE) {
			ScriptCall call = this.calls.to(SCHEDULE, queue).add(version);
			all.subList(from, Math.min(all.size(), from + SCHEDULED_AT_ONCE))
				.forEach((entry) -> call.add(entry.name()).add(entry.digest()).add(entry.next()));
			done &= this.calls.text(call).equals("D");
		}
		return done;
	}

	/** Read the state of each of these recurring jobs that the queue knows. */
	Map<String, State> states(String queue, Collection<String> names) {
		Map<String, State> states = new LinkedHashMap<>();
		List<String> all = List.copyOf(names);
		for (int from = 0; from < all.size(); from += READ_AT_ONCE) {
			List<String> some = all.subList(from, Math.min(all.size(), from + READ_AT_ONCE));
			ScriptCall call = this.calls.to(TICKS, queue);
			some.forEach(call::add);
			List<Object> answer = this.calls.run(call);
			for (int i = 0; i < some.size(); i++) {
				if (!Answers.text(answer, 3 * i + 1).isEmpty()) {
					states.put(some.get(i), State.of(Answers.text(answer, 3 * i), Answers.text(answer, 3 * i + 1),
							Answers.text(answer, 3 * i + 2)));
				}
			}
		}
		return states;
	}

	/** Handle up to 1,000 ticks of a queue, those of the same recurring job in order. */
	List<Seen> tick(String queue, List<Tick> ticks) {
		ScriptCall call = this.calls.to(TICK, queue);
		for (Tick tick : ticks) {
			call.add(tick.name())
				.add("%s %d %d %d %s %s".formatted(tick.digest(), tick.first().toEpochMilli(),
						tick.last().toEpochMilli(), tick.due().toEpochMilli(),
						(tick.next() != null) ? tick.next().toEpochMilli() : "-", tick.decision().letter()));
			if (tick.prepared() == null) {
				call.add("").add("").add("").add("");
			}
			else {
				NewJob job = tick.prepared().job();
				call.add(job.id())
					.add(job.payload())
					.add((job.expiry() != null) ? job.expiry().after(0) : "")
					.add(job.lock());
			}
		}
		return Seen.of(this.calls.run(call), queue);
	}

	/**
	 * Record how a run of a recurring job has ended, if it belongs to the latest tick.
	 * Does not wait, and throws nothing.
	 */
	void ended(String queue, String name, String job, JobOutcome outcome, Duration ran) {
		byte[] ticked = this.calls.keys().queue(queue).get(QueuePart.TICKED);
		this.calls.commands().hashValues(List.of(ticked), name).get(0).thenAccept((state) -> {
			if (state != null && new String(state, StandardCharsets.UTF_8).endsWith(" " + job)) {
				this.calls.commands().setField(ticked, "=" + name, "%s %s %d".formatted(job, outcome, ran.toMillis()));
			}
		});
	}

	private static @Nullable Instant time(String millis) {
		return (millis.isEmpty() || millis.equals("-")) ? null
				: Instant.ofEpochMilli((long) Double.parseDouble(millis));
	}

	/**
	 * The definition to put into force for one recurring job, as {@code schedule.lua}
	 * takes it.
	 */
	record Entry(String name, String digest, String next) {

		static Entry of(String name, String digest, @Nullable Instant next) {
			return new Entry(name, digest, (next != null) ? Long.toString(next.toEpochMilli()) : "");
		}

		static Entry paused(String name) {
			return new Entry(name, "", "");
		}

		static Entry forgotten(String name) {
			return new Entry(name, "", "forget");
		}

	}

	/**
	 * The state of a recurring job, as {@code schedule.lua} describes it.
	 *
	 * @param last the latest tick, its time without jitter; {@code null} if there was
	 * none
	 */
	record State(@Nullable Instant next, String digest, @Nullable LastTick last) {

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
	 * A tick to be handled, as {@code tick.lua} takes it.
	 *
	 * @param due when the latest tick is due, with its jitter
	 * @param plan what is passed over before it; only with the first tick of a recurring
	 * job
	 */
	record Tick(RecurringJob job, String digest, Instant first, Instant last, Instant due, @Nullable Instant next,
			Decision decision, @Nullable Prepared prepared, @Nullable TickPlan plan) {

		String name() {
			return this.job.name();
		}

	}

	/**
	 * The result of a tick.
	 *
	 * @param isChanged whether another definition is in force
	 * @param next the next tick in force, or {@code null}
	 * @param admission the result of its job; {@code null} unless the tick was handled:
	 * it is not due yet, or another process has handled it
	 */
	record Seen(boolean isChanged, Instant now, @Nullable Instant next, @Nullable Admission admission) {

		static List<Seen> of(List<Object> answer, String queue) {
			if (Answers.text(answer, 0).equals("UPGRADE")) {
				throw new JobStoreException(
						"A newer version of Steady Jobs has changed the layout of queue '%s'; ".formatted(queue)
								+ "its recurring jobs are left to updated applications");
			}
			Instant now = Instant.ofEpochMilli(Answers.number(answer, 1));
			List<Seen> seen = new ArrayList<>();
			for (int i = 2; i < answer.size(); i += 2) {
				seen.add(of(Answers.text(answer, i), now, time(Answers.text(answer, i + 1))));
			}
			return seen;
		}

		private static Seen of(String answer, Instant now, @Nullable Instant next) {
			return switch (answer) {
				case "E", "G", "C" -> new Seen(answer.equals("C"), now, next, null);
				default -> new Seen(false, now, next, Admission.of(answer.equals("A") ? "S" : answer, 1).get(0));
			};
		}

	}

}
