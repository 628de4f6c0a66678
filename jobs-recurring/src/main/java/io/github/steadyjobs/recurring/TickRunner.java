package io.github.steadyjobs.recurring;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import java.util.stream.Collectors;

import io.github.steadyjobs.JobRequest;
import io.github.steadyjobs.JobStoreException;
import io.github.steadyjobs.JobStoreException.Reason;
import io.github.steadyjobs.client.Admission;
import io.github.steadyjobs.client.PreparingJobClient;
import io.github.steadyjobs.client.PreparingJobClient.Prepared;
import io.github.steadyjobs.definition.JobRegistry;
import io.github.steadyjobs.recurring.Declarations.Effective;
import io.github.steadyjobs.recurring.RecurringTick.Decision;
import io.github.steadyjobs.recurring.TickStore.Seen;
import io.github.steadyjobs.recurring.TickStore.Tick;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Handles the ticks of a queue that are due: applies the policies of each recurring job,
 * then has Redis store the jobs and move on to the next ticks in one step. Thread safe.
 */
final class TickRunner {

	private static final int MOST_TICKS = 1000;

	private static final int MOST_BYTES = 1_000_000;

	private static final int ID_DIGITS = 12;

	private static final Logger logger = LoggerFactory.getLogger(TickRunner.class);

	private final PreparingJobClient client;

	private final JobRegistry registry;

	private final Reconciler reconciler;

	/** How late the latest tick may be before it counts as missed. */
	private final Duration lateAfter;

	private final List<RecurringTick.Listener> listeners;

	/** Takes failures other than those of an unreachable Redis. */
	private final Consumer<Throwable> unexpected;

	TickRunner(PreparingJobClient client, JobRegistry registry, Reconciler reconciler, Duration lateAfter,
			List<RecurringTick.Listener> listeners, Consumer<Throwable> unexpected) {
		this.client = client;
		this.registry = registry;
		this.reconciler = reconciler;
		this.lateAfter = lateAfter;
		this.listeners = listeners;
		this.unexpected = unexpected;
	}

	/**
	 * Handle ticks of a queue, and those after them that are due as well.
	 * @param now the time, at which all of them are due
	 * @param then takes the next ticks of what was handled, before listeners hear of it
	 */
	void run(String queue, List<Due> ticks, Instant now, Consumer<Map<String, @Nullable Instant>> then) {
		Map<String, @Nullable Instant> next = new HashMap<>();
		List<RecurringTick> events = new ArrayList<>();
		try {
			List<Tick> all = ticks.stream().flatMap((due) -> prepare(due, now).stream()).toList();
			for (int from = 0, to; from < all.size(); from = to) {
				to = end(all, from);
				send(queue, all.subList(from, to), next, events);
			}
		}
		finally {
			then.accept(next);
			events.forEach(this::publish);
		}
	}

	private static int end(List<Tick> ticks, int from) {
		long bytes = 0;
		int to = from;
		while (to < ticks.size() && to - from < MOST_TICKS) {
			Prepared prepared = ticks.get(to).prepared();
			bytes += (prepared != null) ? prepared.job().payload().length : 0;
			if (bytes > MOST_BYTES && to > from) {
				break;
			}
			to++;
		}
		return to;
	}

	/** Make the jobs of a recurring job that are due; none if that fails. */
	private List<Tick> prepare(Due due, Instant now) {
		RecurringJob job = due.effective().job();
		try {
			TickPlan plan = TickPlan.of(job, due.next(), now, this.lateAfter);
			int skipped = plan.skipped().size();
			boolean isSkipped = plan.runs().isEmpty();
			List<Instant> times = isSkipped ? plan.skipped().subList(skipped - 1, skipped) : plan.runs();
			List<Tick> ticks = new ArrayList<>();
			for (int i = 0; i < times.size(); i++) {
				boolean isLast = i + 1 == times.size();
				Instant moved = job.schedule().moved(job.name(), times.get(i));
				Prepared prepared = isSkipped ? null : prepare(job, times.get(i), moved);
				Decision decision = (prepared == null) ? Decision.SKIPPED
						: (plan.missed() || !isLast) ? Decision.MADE_UP : Decision.ENQUEUED;
				ticks.add(new Tick(job, due.effective().digest(), (i == 0) ? due.next() : times.get(i), times.get(i),
						moved, isLast ? plan.next() : times.get(i + 1), decision, prepared, (i == 0) ? plan : null));
			}
			return ticks;
		}
		catch (Throwable ex) {
			logger.error("The tick of '{}' at {} could not be handled, trying again with the next heartbeat",
					job.name(), due.next(), ex);
			this.unexpected.accept(ex);
			return List.of();
		}
	}

	private @Nullable Prepared prepare(RecurringJob job, Instant tick, Instant due) {
		JobRequest request = job.request(RecurringReader.isIdempotent(this.registry.find(job.job())))
			.meta(RecurringJob.META_DUE, due.toString());
		Prepared prepared = this.client.prepare(request, id(job.name(), tick));
		if (prepared == null) {
			logger.info("An interceptor has stopped the tick of '{}' at {}", job.name(), due);
		}
		else if (!prepared.queue().equals(job.queue())) {
			throw new IllegalStateException(
					"An interceptor has sent a job of the recurring job '%s' from queue '%s' to queue '%s'. The job must stay in the queue of its ticks. Set the queue on the job, or under 'steadyjobs.jobs'."
						.formatted(job.name(), job.queue(), prepared.queue()));
		}
		return prepared;
	}

	private void send(String queue, List<Tick> ticks, Map<String, @Nullable Instant> next, List<RecurringTick> events) {
		try {
			List<Seen> seen = this.reconciler.store().tick(queue, ticks);
			this.reconciler.answered(seen.get(0).now());
			for (int i = 0; i < seen.size(); i++) {
				answered(ticks.get(i), seen.get(i), next, events);
			}
		}
		catch (JobStoreException ex) {
			Map<String, List<Tick>> each = ticks.stream().collect(Collectors.groupingBy(Tick::name));
			if (ex.reason() == Reason.DAMAGED && each.size() > 1) {
				// Ticks that do not need the damaged key are still handled.
				each.values().forEach((some) -> send(queue, some, next, events));
				return;
			}
			logger.debug("Ticks of queue '{}' are handled with the next heartbeat", queue, ex);
		}
	}

	private static void answered(Tick tick, Seen seen, Map<String, @Nullable Instant> next,
			List<RecurringTick> events) {
		if (!seen.isChanged()) {
			next.put(tick.name(), seen.next());
		}
		Admission admission = seen.admission();
		if (admission != null) {
			addSkipped(tick, seen.now(), events);
			if (tick.prepared() != null) {
				tick.prepared().answered().accept(admission);
			}
			events.add(event(tick, admission, seen.now()));
		}
	}

	private static RecurringTick event(Tick tick, Admission admission, Instant now) {
		Decision decision = switch (admission.kind()) {
			case DUPLICATE -> Decision.OVERLAPPED;
			case RUNS_ONCE_MORE -> Decision.QUEUED;
			default -> tick.decision();
		};
		Prepared prepared = tick.prepared();
		String id = (prepared == null) ? null : admission.isStored() ? prepared.job().id() : admission.holder();
		return new RecurringTick(tick.name(), tick.due(), now, decision, id, 1);
	}

	/** Add the skipped ticks, except the given one. */
	private static void addSkipped(Tick tick, Instant now, List<RecurringTick> events) {
		TickPlan plan = tick.plan();
		if (plan == null) {
			return;
		}
		if (plan.more() > 0) {
			events.add(new RecurringTick(tick.name(), tick.first(), now, Decision.SKIPPED, null, plan.more()));
		}
		plan.skipped()
			.stream()
			.filter((skipped) -> !skipped.equals(tick.last()))
			.map((skipped) -> tick.job().schedule().moved(tick.name(), skipped))
			.forEach((due) -> events.add(new RecurringTick(tick.name(), due, now, Decision.SKIPPED, null, 1)));
	}

	/** Return the id of the job of a tick: its time, and a digest of name and time. */
	static String id(String name, Instant due) {
		long millis = due.toEpochMilli();
		return HexFormat.of().toHexDigits(millis, ID_DIGITS) + DeclaredSet.hex(name + " " + millis);
	}

	void unexpected(Throwable failure) {
		this.unexpected.accept(failure);
	}

	private void publish(RecurringTick tick) {
		for (RecurringTick.Listener listener : this.listeners) {
			try {
				listener.told(tick);
			}
			catch (Throwable ex) {
				// Errors too: the next tick has to come.
				logger.warn("A listener failed on {}", tick, ex);
			}
		}
	}

	/**
	 * The next tick of a recurring job.
	 *
	 * @param next the earliest tick that is not handled yet, as far as is known
	 */
	record Due(Effective effective, Instant next) {

		Instant due() {
			return this.effective.job().schedule().moved(this.effective.name(), this.next);
		}

	}

}
