package io.github.steadyjobs.recurring;

import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.stream.Stream;

import io.github.steadyjobs.EnqueueResult;
import io.github.steadyjobs.JobClient;
import io.github.steadyjobs.JobStoreException;
import io.github.steadyjobs.Recurring;
import io.github.steadyjobs.activity.OperatorChange;
import io.github.steadyjobs.definition.JobDefinition;
import io.github.steadyjobs.definition.JobRegistry;
import io.github.steadyjobs.recurring.Declarations.Effective;
import io.github.steadyjobs.recurring.InvalidRecurringJobException.Reason;
import io.github.steadyjobs.recurring.RecurringState.Origin;
import io.github.steadyjobs.recurring.RecurringState.Pause;
import io.github.steadyjobs.recurring.RecurringState.Status;
import io.github.steadyjobs.redis.RedisConnections;
import org.jspecify.annotations.Nullable;

import org.springframework.aot.hint.annotation.RegisterReflectionForBinding;
import org.springframework.util.Assert;

/**
 * Manages all recurring jobs of all applications that share the same Redis: both those
 * that {@link Recurring} annotations declare and those created through this class.
 * <p>
 * A created recurring job stays until it is deleted, even if all processes are restarted.
 * Changes take effect immediately: when a recurring job has been deleted, paused or
 * changed, its old ticks create no more jobs. Other processes begin to handle the ticks
 * of a new or changed recurring job within 10 seconds, or within a minute if it is the
 * first recurring job. This process begins sooner if it has workers. If two people make
 * changes at the same time, the second change applies to the result of the first, or is
 * refused.
 * <p>
 * Thread safe. Each method throws a {@link JobStoreException} if Redis refused a call, is
 * not reachable or did not answer. In this case the change may have been made: repeat the
 * call or check. An {@link InvalidRecurringJobException} means that nothing was changed.
 */
// Registers the records that are written as JSON, for native images.
@RegisterReflectionForBinding({ DeclaredSet.StoredSet.class, Pause.class })
public final class RecurringJobs {

	private final Reconciler reconciler;

	private final Supplier<? extends JobClient> client;

	private final JobRegistry registry;

	private final OperatorChange.Listener activity;

	private volatile Runnable changeListener = () -> {
	};

	/** Create an instance. The client is used to enqueue triggered jobs. */
	public RecurringJobs(RedisConnections connections, String prefix, JobClient client, JobRegistry registry) {
		this(connections, prefix, () -> client, registry, OperatorChange.Listener.LOG);
	}

	/**
	 * Create an instance. The listener is notified of each change.
	 * @param client supplies the client that is used to enqueue triggered jobs; called
	 * for each of these jobs
	 */
	public RecurringJobs(RedisConnections connections, String prefix, Supplier<? extends JobClient> client,
			JobRegistry registry, OperatorChange.Listener activity) {
		this.reconciler = new Reconciler(connections, prefix);
		this.client = client;
		this.registry = registry;
		this.activity = activity;
	}

	Reconciler reconciler() {
		return this.reconciler;
	}

	/** Set the action that is called after each change made through this instance. */
	void onChange(Runnable listener) {
		this.changeListener = listener;
	}

	/**
	 * Return all recurring jobs, sorted by name. This takes one round trip, plus one for
	 * each queue that has recurring jobs, and up to about twice as many if a tick is
	 * late.
	 */
	public List<RecurringState> list() {
		return this.reconciler.states(this.reconciler.read(), null);
	}

	/** Return the recurring job with the given name; empty if it does not exist. */
	public Optional<RecurringState> find(String name) {
		Assert.notNull(name, "'name' must not be null; pass the name of a recurring job");
		return this.reconciler.states(this.reconciler.read(), name).stream().findAny();
	}

	/**
	 * Create a recurring job. It is {@link Status#PARKED} while no process can run its
	 * job. The call is refused if another definition has the name, or if the job cannot
	 * recur.
	 */
	public RecurringState create(RecurringJob job) {
		check(job);
		OperatorChange created = report("create", job);
		return change(job.name(), created, (declarations) -> {
			Effective present = declarations.effective().get(job.name());
			if (present == null) {
				return Declarations.create(job);
			}
			// A declared recurring job disappears with its annotation, so it must not be
			// reported as created.
			Reason.EXISTS.unless(present.origin() == Origin.CREATED && present.job().equals(job),
					"There is a recurring job '%s' already: %s", job.name(), present.job());
			return Map.of();
		});
	}

	/**
	 * Change a recurring job that was created through this class. The recurring job
	 * continues with its next tick. The call is refused if an annotation declares the
	 * recurring job, or if its job cannot recur.
	 */
	public RecurringState change(RecurringJob job) {
		check(job);
		Function<Declarations, Map<String, @Nullable String>> change = (declarations) -> {
			Effective present = present(declarations, job.name());
			checkChangeable(job.name(), present.origin() == Origin.CREATED);
			return Declarations.create(job);
		};
		Declarations known = this.reconciler.read();
		boolean isMoved = !known.isIn(job.queue(), job.name());
		OperatorChange changed = report("change", job);
		return applied(job.name(), isMoved ? leave(known, job.name(), changed, change) : make(known, changed, change));
	}

	private void check(RecurringJob job) {
		Assert.notNull(job, "'job' must not be null; make one with RecurringJob.of(…)");
		String unfit = RecurringReader.unfit(this.registry.find(job.job()));
		Reason.INVALID.unless(unfit == null, "Job '%s' %s", job.job(), unfit);
		Reason.INVALID.unless(this.registry.orderedIn(job.queue()) == null,
				"Queue '%s' is the queue of an ordered job, and only ordered jobs can be in it", job.queue());
	}

	/**
	 * Delete a recurring job that was created through this class, or that is declared
	 * only by applications that are down. In the latter case, the recurring job reappears
	 * when such an application starts. Jobs that have already been enqueued stay. The
	 * call is refused if a live process declares the recurring job.
	 */
	public void delete(String name) {
		boolean isParked = find(name).filter((state) -> state.status() == Status.PARKED).isPresent();
		Declarations known = this.reconciler.read();
		Set<String> dead = isParked ? this.reconciler.silent(known) : Set.of();
		leave(known, name, report("delete", name, "deleted"), (declarations) -> {
			checkChangeable(name, declarations.without(dead).applications(name).isEmpty());
			Map<String, @Nullable String> changes = declarations.delete(name);
			// If the process turns out to be alive, it declares its set again.
			changes.putAll(declarations.leave(dead));
			return changes;
		});
		this.changeListener.run();
	}

	/**
	 * Pause a recurring job. Ticks that are due during the pause do not run and do not
	 * count as missed.
	 * @param who the person who pauses the recurring job: 1 to 255 characters on one line
	 * @param why the reason: 1 to 1,000 characters
	 */
	public RecurringState pause(String name, String who, String why) {
		Pause pause = new Pause(who, why, this.reconciler.store().now());
		OperatorChange paused = report("pause", name, "paused: " + why, "why", why).by(who);
		return change(name, paused, (declarations) -> (present(declarations, name).pause() != null) ? Map.of()
				: Declarations.pause(name, pause));
	}

	/** Resume a recurring job. It continues with its next tick. */
	public RecurringState resume(String name) {
		OperatorChange resumed = report("resume", name, "resumed");
		return change(name, resumed, (declarations) -> (present(declarations, name).pause() == null) ? Map.of()
				: Declarations.pause(name, null));
	}

	/**
	 * Enqueue the job of a recurring job now, even if the recurring job is paused. Its
	 * ticks stay as they are. The job gets the current time as the time of its tick.
	 * @return the result; if an earlier job has not ended and the overlap policy does not
	 * allow two jobs at once, {@link EnqueueResult.Duplicate} with the id of that job
	 */
	public EnqueueResult trigger(String name) {
		Declarations declarations = this.reconciler.read();
		RecurringJob job = present(declarations, name).job();
		JobDefinition definition = this.registry.find(job.job());
		boolean isIdempotent = RecurringReader.isIdempotent(definition) || declarations.isIdempotent(job.job());
		Instant now = this.reconciler.store().now().truncatedTo(ChronoUnit.MILLIS);
		EnqueueResult result = this.client.get().enqueue(job.request(now, isIdempotent, definition));
		boolean runs = result.accepted()
				|| (result instanceof EnqueueResult.Duplicate duplicate && duplicate.runsOnceMore());
		if (runs) {
			this.activity.changed(report("trigger", name, "triggered: job " + result.id(), "job", result.id()));
		}
		return result;
	}

	private static OperatorChange report(String action, RecurringJob job) {
		String schedule = job.schedule().toString();
		return report(action, job.name(), action + "d: " + schedule, "name", job.job(), "schedule", schedule);
	}

	private static OperatorChange report(String action, String name, String what, String... more) {
		String[] target = Stream.concat(Stream.of("recurring", name), Stream.of(more)).toArray(String[]::new);
		return OperatorChange.of(action, "Recurring job %s was %s".formatted(name, what), target);
	}

	private RecurringState change(String name, OperatorChange report,
			Function<Declarations, Map<String, @Nullable String>> change) {
		return applied(name, make(this.reconciler.read(), report, change));
	}

	/** Change the declarations, and report the change unless it had no effect. */
	private Declarations make(Declarations known, OperatorChange report,
			Function<Declarations, Map<String, @Nullable String>> change) {
		AtomicBoolean isChanged = new AtomicBoolean();
		Declarations after = this.reconciler.change(known, (declarations) -> {
			Map<String, @Nullable String> changes = change.apply(declarations);
			isChanged.set(!changes.isEmpty());
			return changes;
		});
		if (isChanged.get()) {
			this.activity.changed(report);
		}
		return after;
	}

	private RecurringState applied(String name, Declarations after) {
		this.reconciler.apply(after);
		this.changeListener.run();
		return this.reconciler.states(after, name).get(0);
	}

	/**
	 * Change the declarations, and take a recurring job out of the queue that it leaves.
	 * The recurring job is taken out before the change, so that the call can be repeated,
	 * and again after the change, because another process may have put the recurring job
	 * back.
	 */
	private Declarations leave(Declarations known, String name, OperatorChange report,
			Function<Declarations, Map<String, @Nullable String>> change) {
		String queue = present(known, name).queue();
		// If the change is refused here, nothing has been changed yet.
		Map<String, @Nullable String> changes = change.apply(known);
		this.reconciler.forget(queue, Set.of(name), known);
		Declarations after = make(known, report, (now) -> (now == known) ? changes : change.apply(now));
		this.reconciler.forget(queue, Set.of(name), after);
		return after;
	}

	private static Effective present(Declarations declarations, String name) {
		Effective present = declarations.effective().get(name);
		Reason.UNKNOWN.unless(present != null, "There is no recurring job '%s'", name);
		return Objects.requireNonNull(present);
	}

	private static void checkChangeable(String name, boolean isChangeable) {
		Reason.DECLARED.unless(isChangeable,
				"Recurring job '%s' is declared by an annotation. Change it there or under 'steadyjobs.recurring.%s', or pause it.",
				name, name);
	}

	/**
	 * Read a recurring job from texts, in order to create or change it. Does not call
	 * Redis.
	 * @param job the name of its job
	 * @param attributes the attributes of {@link Recurring}, with values as in the
	 * annotation, by name in lower case with hyphens, such as {@code at-most}; also
	 * {@code queue}, which defaults to the queue of the job. A missing or empty attribute
	 * has its default value
	 */
	public RecurringJob read(String name, String job, Map<String, String> attributes) {
		try {
			JobDefinition definition = this.registry.find(job);
			String queue = attributes.getOrDefault("queue", (definition != null) ? definition.queue() : "default");
			return RecurringJob.read(name, job, queue, attributes);
		}
		catch (InvalidRecurringJobException ex) {
			throw new InvalidRecurringJobException(Reason.INVALID,
					"The definition of recurring job '%s' is invalid: %s".formatted(name, ex.getMessage()), ex);
		}
	}

}
