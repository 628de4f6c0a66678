package io.github.steadyjobs.admin;

import java.lang.reflect.Method;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;

import io.github.steadyjobs.InvalidJobException;
import io.github.steadyjobs.JobContext;
import io.github.steadyjobs.JobPayload;
import io.github.steadyjobs.PayloadField;
import io.github.steadyjobs.admin.AdminStore.Description;
import io.github.steadyjobs.admin.JobChange.Outcome;
import io.github.steadyjobs.client.DeduplicationKey;
import io.github.steadyjobs.definition.JobDefinition;
import io.github.steadyjobs.definition.JobRegistry;
import io.github.steadyjobs.redis.MoveStore;
import io.github.steadyjobs.redis.PayloadCodec;
import io.github.steadyjobs.redis.QueueRef;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;

/**
 * Edits, reschedules and moves jobs that are not running. Thread safe.
 * <p>
 * New data is stored only if the stored job is still the same as when it was read, and a
 * job is moved only if it is still in the same place. So if two operators change a job,
 * the second operator is informed that the job has changed, and data that a worker has
 * written meanwhile is not overwritten.
 */
final class JobEdits {

	private final AdminStore store;

	private final JobLocks locks;

	private final MoveStore moves;

	private final JobRegistry registry;

	private final PayloadCodec codec;

	private final DeduplicationKey key;

	JobEdits(AdminStore store, JobLocks locks, MoveStore moves, JobRegistry registry, PayloadCodec codec) {
		this.store = store;
		this.locks = locks;
		this.moves = moves;
		this.registry = registry;
		this.codec = codec;
		this.key = new DeduplicationKey(codec.mapper());
	}

	JobChange edit(JobEntry job, Description found, String arguments) {
		JobPayload before = job.payload();
		if (before == null || (QueueRef.isPart(found.part()) && job.place() != JobPlace.DEAD)) {
			return new JobChange(Outcome.REFUSED, "%s cannot be edited: %s".formatted(job.label(), (before == null)
					? "it cannot be read" : "it is an ordered job, and payloads have gathered for its key"));
		}
		checkArray(arguments);
		JobPayload after = before.withArguments(this.codec.mapper(), arguments.getBytes(StandardCharsets.UTF_8))
			.with((json) -> json.remove(PayloadField.UNBOUND.text()));
		JobDefinition definition = definition(before);
		Object[] bound = definition.parameters().bind(after, JobContext.none());
		String digest = digest(job.id(), found, definition, before, bound);
		return answer(job, this.store.edit(job.id(), found, this.codec.write(after), digest, null));
	}

	private void checkArray(String arguments) {
		try {
			if (this.codec.mapper().readTree(arguments).isArray()) {
				return;
			}
		}
		catch (JacksonException ex) {
			throw new InvalidJobException("The arguments are not JSON: " + ex.getOriginalMessage(), ex);
		}
		throw new InvalidJobException("The arguments must be a JSON array, with one element for each parameter");
	}

	private JobDefinition definition(JobPayload job) {
		JobDefinition definition = this.registry.find(job.name());
		if (definition == null || !definition.hasBean()) {
			throw new InvalidJobException(("No bean of this application has job '%s', so it is unknown whether the "
					+ "arguments fit; edit it in an application that runs it")
				.formatted(job.name()));
		}
		return definition;
	}

	/**
	 * Return the lock of the job after the change. Empty if the lock does not change,
	 * because the job has no lock or because its lock was not derived from its arguments.
	 */
	private String digest(String id, Description found, JobDefinition definition, JobPayload before,
			@Nullable Object[] bound) {
		JobLock held = this.locks.ofJob(found.part(), id).orElse(null);
		if (held == null) {
			return "";
		}
		try {
			String former = digest(definition, definition.parameters().bind(before, JobContext.none()));
			return held.digest().equals(former) ? digest(definition, bound) : "";
		}
		catch (InvalidJobException ex) {
			// The old arguments do not fit, so the lock was not derived from them here.
			return "";
		}
	}

	private String digest(JobDefinition definition, @Nullable Object[] bound) {
		Method method = Objects.requireNonNull(definition.method());
		List<@Nullable Object> arguments = Arrays.asList(bound);
		Class<?>[] types = method.getParameterTypes();
		if (types.length > 0 && types[types.length - 1] == JobContext.class) {
			arguments = arguments.subList(0, types.length - 1);
		}
		Object compared = definition.deduplicationKey(arguments);
		return this.key.of(definition.name(), (compared != null) ? compared : arguments);
	}

	JobChange reschedule(JobEntry job, Description found, Instant due) {
		if (job.place() == JobPlace.DEAD && QueueRef.isPart(found.part())) {
			return new JobChange(Outcome.REFUSED,
					"%s is a dead payload of an ordered job: retry it, and reschedule ".formatted(job.label())
							+ "the job of its key");
		}
		JobPayload payload = job.payload();
		byte[] stored = (payload == null || QueueRef.isPart(found.part())) ? found.payload()
				: this.codec.write(payload.with((json) -> json.put("at", due.toEpochMilli())));
		return answer(job, this.store.edit(job.id(), found, stored, "", due.toEpochMilli()));
	}

	JobChange move(JobEntry job, Description found, String queue) {
		if (job.place() == JobPlace.WORKING) {
			return running(job);
		}
		String why = queue.equals(found.part()) ? "it is there" : QueueRef.isPart(found.part()) ? "it is ordered"
				: (job.place() == JobPlace.SUSPECTS) ? "it is a suspect, which has to run alone here" : null;
		if (why != null) {
			return new JobChange(Outcome.REFUSED,
					"%s cannot be moved to queue %s: %s".formatted(job.label(), queue, why));
		}
		boolean done = this.moves.move(found.part(), job.place().part(), job.id(), queue);
		return done ? new JobChange(Outcome.DONE,
				"%s was moved from queue %s to %s".formatted(job.label(), job.queue(), queue)) : changed(job);
	}

	private static JobChange answer(JobEntry job, String answer) {
		return switch (answer.charAt(0)) {
			case 'D' -> new JobChange(Outcome.DONE, job.label() + " of queue " + job.queue() + " was changed");
			case 'R' -> running(job);
			case 'L' -> new JobChange(Outcome.LOCKED, "%s was not changed: job %s has the same arguments, and the lock"
				.formatted(job.label(), answer.substring(2)));
			default -> changed(job);
		};
	}

	static JobChange gone(String id) {
		return new JobChange(Outcome.GONE, "There is no job " + id + ": it has ended or never existed");
	}

	static JobChange running(JobEntry job) {
		return new JobChange(Outcome.RUNNING, job.label() + " runs: cancel it, or wait until it has ended");
	}

	static JobChange changed(JobEntry job) {
		return new JobChange(Outcome.CHANGED, "%s has left '%s' or has changed: a worker or another operator was faster"
			.formatted(job.label(), job.place().part().text()));
	}

}
