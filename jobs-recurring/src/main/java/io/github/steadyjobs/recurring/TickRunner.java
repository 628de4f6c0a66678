package io.github.steadyjobs.recurring;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;

import io.github.steadyjobs.JobRequest;
import io.github.steadyjobs.JobStoreException;
import io.github.steadyjobs.JobStoreException.Reason;
import io.github.steadyjobs.client.Admission;
import io.github.steadyjobs.client.PreparingJobClient;
import io.github.steadyjobs.client.PreparingJobClient.Prepared;
import io.github.steadyjobs.definition.JobDefinition;
import io.github.steadyjobs.definition.JobRegistry;
import io.github.steadyjobs.recurring.Declarations.Effective;
import io.github.steadyjobs.recurring.RecurringTick.Decision;
import io.github.steadyjobs.recurring.TickStore.Seen;
import io.github.steadyjobs.recurring.TickStore.Tick;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Handles the due ticks of a queue, according to the policies of each recurring job.
 * Redis then stores the jobs and moves on to the next ticks in one step. Thread safe.
 */
final class TickRunner {

	private static final int MOST_TICKS = 1000;

	private static final int MOST_BYTES = 1_000_000;

	private static final Logger logger = LoggerFactory.getLogger(TickRunner.class);

	private final PreparingJobClient client;

	private final JobRegistry registry;

	private final TickStore store;

	/** How late the latest tick may be before it counts as missed. */
	private final Duration lateAfter;

	private final Consumer<RecurringTick> events;

	/** Called with failures other than those of calls to Redis. */
	private final Consumer<Throwable> unexpected;

	TickRunner(PreparingJobClient client, JobRegistry registry, TickStore store, Duration lateAfter,
			Consumer<RecurringTick> events, Consumer<Throwable> unexpected) {
		this.client = client;
		this.registry = registry;
		this.store = store;
		this.lateAfter = lateAfter;
		this.events = events;
		this.unexpected = unexpected;
	}

	/**
	 * Handle ticks of a queue, and any later ticks that are due as well.
	 * @param due for each recurring job, the earliest tick that has not been handled yet,
	 * as far as this process knows
	 * @param now the time of Redis, which determines which ticks are due
	 * @param then called before the listeners, with the next tick of each recurring job,
	 * or {@code null} if there is no next tick. A recurring job whose next tick is
	 * unknown is left out
	 */
	void run(String queue, Map<Effective, Instant> due, Instant now, Consumer<Map<Effective, @Nullable Instant>> then) {
		List<Seen> all = new ArrayList<>();
		try {
			List<Tick> ticks = new ArrayList<>();
			due.forEach((effective, tick) -> ticks.addAll(prepare(effective, tick, now)));
			if (!ticks.isEmpty()) {
				send(queue, ticks, all);
			}
		}
		finally {
			Map<Effective, @Nullable Instant> next = new HashMap<>();
			all.stream()
				.filter((seen) -> seen.next() != null || seen.admission() != null)
				.forEach((seen) -> next.put(seen.tick().effective(), seen.next()));
			then.accept(next);
			all.forEach(this::report);
		}
	}

	/** Prepare the due ticks of a recurring job. Return an empty list if this fails. */
	private List<Tick> prepare(Effective effective, Instant first, Instant now) {
		RecurringJob job = effective.job();
		try {
			TickPlan plan = TickPlan.of(job, first, now, this.lateAfter);
			List<Tick> ticks = new ArrayList<>();
			for (int i = 0; i < plan.handled().size(); i++) {
				boolean isLast = i + 1 == plan.handled().size();
				Instant tick = plan.handled().get(i);
				Instant moved = job.moved(tick);
				Decision decision = isLast ? plan.latest() : Decision.MADE_UP;
				Prepared prepared = (decision != Decision.SKIPPED) ? prepare(job, tick, moved) : null;
				ticks.add(new Tick(effective, (i == 0) ? first : tick, tick, moved,
						isLast ? plan.next() : plan.handled().get(i + 1),
						(prepared != null) ? decision : Decision.SKIPPED, prepared,
						(i == 0) ? skipped(job, first, plan, now) : List.of()));
			}
			return ticks;
		}
		catch (Throwable ex) {
			logger.error("The tick of '{}' at {} could not be handled, trying again with the next heartbeat",
					job.name(), first, ex);
			this.unexpected.accept(ex);
			return List.of();
		}
	}

	private static List<RecurringTick> skipped(RecurringJob job, Instant first, TickPlan plan, Instant now) {
		List<RecurringTick> skipped = new ArrayList<>();
		if (plan.more() > 0) {
			skipped.add(new RecurringTick(job.name(), first, now, Decision.SKIPPED, null, plan.more()));
		}
		plan.passed()
			.forEach((tick) -> skipped
				.add(new RecurringTick(job.name(), job.moved(tick), now, Decision.SKIPPED, null, 1)));
		return skipped;
	}

	private @Nullable Prepared prepare(RecurringJob job, Instant tick, Instant due) {
		JobDefinition definition = this.registry.find(job.job());
		JobRequest request = job.request(due, RecurringReader.isIdempotent(definition), definition);
		Prepared prepared = this.client.prepare(request, id(job.name(), tick));
		if (prepared == null) {
			logger.info("An interceptor has stopped the tick of '{}' at {}", job.name(), due);
		}
		else if (!prepared.queue().equals(job.queue())) {
			throw new IllegalStateException(
					"An interceptor has sent a job of the recurring job '%s' from queue '%s' to queue '%s'. The job must stay in the queue of its ticks. Set the queue on the job, or under 'steadyjobs.jobs'."
						.formatted(job.name(), job.queue(), prepared.queue()));
		}
		else if (prepared.job().delay() != null) {
			throw new IllegalStateException(
					"An interceptor has delayed a job of the recurring job '%s'. The job must run at the time of its tick. Set another time on the recurring job."
						.formatted(job.name()));
		}
		return prepared;
	}

	/**
	 * Send ticks in one call, or in two halves if the call would be too large or fails
	 * because of a damaged key.
	 */
	private void send(String queue, List<Tick> ticks, List<Seen> all) {
		long bytes = ticks.stream().mapToLong((tick) -> tick.job().payload().length).sum();
		boolean isOne = ticks.size() == 1 || (ticks.size() <= MOST_TICKS && bytes <= MOST_BYTES);
		try {
			if (isOne) {
				all.addAll(this.store.tick(queue, ticks));
				return;
			}
		}
		catch (JobStoreException ex) {
			// Ticks that do not use the damaged key can still be handled.
			if (ex.reason() != Reason.DAMAGED || ticks.size() == 1) {
				logger.debug("Ticks of queue '{}' are handled with the next heartbeat", queue, ex);
				return;
			}
		}
		send(queue, ticks.subList(0, ticks.size() / 2), all);
		send(queue, ticks.subList(ticks.size() / 2, ticks.size()), all);
	}

	private void report(Seen seen) {
		Tick tick = seen.tick();
		Admission admission = seen.admission();
		if (admission != null) {
			tick.skipped().forEach(this.events);
			if (tick.prepared() != null) {
				tick.prepared().answered().accept(admission);
			}
			this.events.accept(event(tick, admission, seen.now()));
		}
	}

	static RecurringTick event(Tick tick, Admission admission, Instant now) {
		Decision decision = switch (admission.kind()) {
			case DUPLICATE -> Decision.OVERLAPPED;
			case RUNS_ONCE_MORE -> Decision.QUEUED;
			default -> tick.decision();
		};
		String id = (tick.prepared() == null) ? null : admission.isStored() ? tick.job().id() : admission.holder();
		return new RecurringTick(tick.effective().name(), tick.due(), now, decision, id, 1);
	}

	/** Return the id of a tick's job: the time and a digest of the name and time. */
	static String id(String name, Instant due) {
		long millis = due.toEpochMilli();
		return HexFormat.of().toHexDigits(millis, 12) + DeclaredSet.hex(name + " " + millis);
	}

	void unexpected(Throwable failure) {
		this.unexpected.accept(failure);
	}

}
