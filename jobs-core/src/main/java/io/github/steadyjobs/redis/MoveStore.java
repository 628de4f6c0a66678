package io.github.steadyjobs.redis;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

import io.github.steadyjobs.JobStoreException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Moves jobs from one queue to another. The queues may be on different nodes of a
 * cluster, so it takes three scripts: the job is parked where it is, stored in the other
 * queue, and forgotten. Each may be repeated. Until the last one the job cannot run in
 * the first queue, and whoever looks after that finishes what was broken off. Fails with
 * a {@link JobStoreException} if Redis refused, is not reachable or did not answer.
 * Thread safe.
 */
public final class MoveStore {

	private static final Duration BROKEN_OFF_AFTER = Duration.ofSeconds(10);

	private static final Pattern MOVING = Pattern.compile("moving:(\\S+) .*");

	private static final Logger logger = LoggerFactory.getLogger(MoveStore.class);

	private final RedisConnections connections;

	private final KeySpace keys;

	private final PlainCommands commands;

	private final AdminStore jobs;

	public MoveStore(RedisConnections connections, String prefix) {
		this.connections = connections;
		this.keys = connections.keys(prefix);
		this.commands = new PlainCommands(connections.commands(), connections.commandTimeout());
		this.jobs = new AdminStore(connections, prefix);
	}

	/**
	 * Move a job.
	 * @param from where it is
	 * @param target the other queue, which has no ordered jobs
	 * @return whether it is in the other queue now; {@code false} if it is not where it
	 * was said to be, is on its way to a third queue, or was cancelled meanwhile; or if
	 * it has not yet left the other queue for this one, and gets back once it has
	 */
	public boolean move(String queue, QueuePart from, String id, String target) {
		return move(queue, from, id, target, 0);
	}

	private boolean move(String queue, QueuePart from, String id, String target, long begunBefore) {
		// First, because a full Redis refuses it: the job then stays where it is.
		this.commands.await(this.commands.addToSet(this.keys.queueNames(), target));
		List<Object> out = run(call(JobScript.MOVE_OUT, queue).add(id.getBytes(StandardCharsets.UTF_8))
			.add(from.text())
			.add(target)
			.add(begunBefore));
		if (out.isEmpty()) {
			return false;
		}
		ScriptCall in = call(JobScript.MOVE_IN, target).add(id.getBytes(StandardCharsets.UTF_8));
		out.forEach((field) -> in.add((byte[]) field));
		String arrival = Answers.text(run(in), 0);
		if (arrival.equals("B")) {
			return false;
		}
		if (arrival.equals("UPGRADE")) {
			throw new JobStoreException(
					"A newer version of Steady Jobs has changed the layout of queue '%s'; job %s is ".formatted(target,
							id) + "parked in queue '%s' until an updated application moves it".formatted(queue));
		}
		String end = Answers
			.text(run(call(JobScript.MOVE_END, queue).add(id.getBytes(StandardCharsets.UTF_8)).add(target)), 0);
		if (end.equals("C")) {
			run(call(JobScript.CANCEL, target).add(id.getBytes(StandardCharsets.UTF_8)));
		}
		return !end.equals("C");
	}

	/**
	 * Finish moves out of a queue that were begun some seconds ago, and broken off.
	 * @return whether some are left, which may still be under way
	 */
	public boolean finish(String queue) {
		boolean isLeft = false;
		String after = "";
		do {
			AdminStore.Listing listing = this.jobs.browse(QueuePart.PARKED, Map.of(queue, after), 1000)
				.getOrDefault(queue, AdminStore.Listing.NONE);
			for (Map.Entry<String, String> job : listing.jobs().entrySet()) {
				Matcher moving = MOVING.matcher(job.getValue());
				if (!moving.matches()) {
					continue;
				}
				isLeft |= !finish(queue, job.getKey(), moving.group(1));
			}
			after = listing.next();
		}
		while (!after.isEmpty() && !after.equals("@0"));
		return isLeft;
	}

	private boolean finish(String queue, String id, String target) {
		try {
			boolean moved = move(queue, QueuePart.PARKED, id, target, BROKEN_OFF_AFTER.toSeconds());
			if (moved) {
				logger.info("Job {} of queue {} was on its way to queue {}, and is there now", id, queue, target);
			}
			return moved;
		}
		catch (JobStoreException ex) {
			// Others may be on their way to another queue.
			logger.warn("Job {} of queue {} is on its way to queue {}, which does not take it yet: {}", id, queue,
					target, ex.getMessage());
			return false;
		}
	}

	private ScriptCall call(JobScript script, String queue) {
		return ScriptCall.of(script, this.keys.queue(queue));
	}

	private List<Object> run(ScriptCall call) {
		return call.run(this.connections.commands(), this.connections.commandTimeout());
	}

}
