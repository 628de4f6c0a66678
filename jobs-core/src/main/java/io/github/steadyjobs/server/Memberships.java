package io.github.steadyjobs.server;

import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

import io.github.steadyjobs.JobStoreException;
import io.github.steadyjobs.JobStoreTimeoutException;
import io.github.steadyjobs.redis.Beat;
import io.github.steadyjobs.redis.Claim.Status;
import io.github.steadyjobs.redis.JobToken;
import io.github.steadyjobs.redis.WorkStore;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The names under which this process has joined its queues. A name that a queue does not
 * know, because the process was taken for dead or Redis lost its data, is given up for
 * the next generation of it, in that queue only. Thread safe.
 */
final class Memberships {

	private static final Logger logger = LoggerFactory.getLogger(Memberships.class);

	private static final long PATIENCE_SECONDS = 5;

	private final WorkStore store;

	private final String process;

	private final Map<String, Membership> members = new ConcurrentHashMap<>();

	Memberships(WorkStore store, String process) {
		this.store = store;
		this.process = process;
	}

	/**
	 * Return the name to claim under, after joining the queue if that is not done yet.
	 * @throws JobStoreException if Redis is not reachable or did not answer
	 */
	@Nullable String nameIn(String queue) {
		Membership member = member(queue);
		String name = member.joined;
		return (name != null) ? name : join(queue, member);
	}

	/**
	 * Give up a name that the queue does not know.
	 */
	void fenced(String queue, String name) {
		Membership member = member(queue);
		synchronized (member) {
			if (name.equals(member.joined)) {
				logger.warn("Queue {} does not count this process as alive any more. Its running jobs of that queue "
						+ "will settle nothing; it goes on under a new name", queue);
				member.joined = null;
				member.generation++;
			}
		}
	}

	boolean isCurrent(JobToken token) {
		return token.process().equals(member(token.queue()).joined);
	}

	/**
	 * Return the queues that this process has joined, and its name in each.
	 */
	Map<String, String> joined() {
		Map<String, String> joined = new ConcurrentHashMap<>();
		this.members.forEach((queue, member) -> {
			String name = member.joined;
			if (name != null) {
				joined.put(queue, name);
			}
		});
		return joined;
	}

	private @Nullable String join(String queue, Membership member) {
		synchronized (member) {
			while (member.joined == null) {
				String name = this.process + "." + member.generation;
				Status status = await(this.store.beat(queue, name, true)).status();
				if (status == Status.UPGRADE) {
					return null;
				}
				if (status == Status.FENCED) {
					member.generation++;
				}
				else {
					member.joined = name;
				}
			}
			return member.joined;
		}
	}

	private Membership member(String queue) {
		Membership member = this.members.get(queue);
		return (member != null) ? member : this.members.computeIfAbsent(queue, (name) -> new Membership());
	}

	private static Beat await(CompletableFuture<Beat> beat) {
		try {
			return beat.get(PATIENCE_SECONDS, TimeUnit.SECONDS);
		}
		catch (ExecutionException ex) {
			throw (ex.getCause() instanceof JobStoreException cause) ? cause
					: new JobStoreException("Joining a queue failed", ex.getCause());
		}
		catch (TimeoutException ex) {
			throw new JobStoreTimeoutException("Redis did not answer when this process joined a queue", ex);
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
			throw new JobStoreTimeoutException("Interrupted while joining a queue", ex);
		}
	}

	private static final class Membership {

		private volatile @Nullable String joined;

		private int generation = 1;

	}

}
