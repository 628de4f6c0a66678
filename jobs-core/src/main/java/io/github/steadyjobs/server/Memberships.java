package io.github.steadyjobs.server;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.BiConsumer;

import io.github.steadyjobs.JobStoreException;
import io.github.steadyjobs.WorkerEvent;
import io.github.steadyjobs.redis.Beat;
import io.github.steadyjobs.redis.Claim.Status;
import io.github.steadyjobs.redis.JobToken;
import io.github.steadyjobs.redis.LivenessStore;
import io.github.steadyjobs.redis.ProcessState;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The names under which this process has joined its queues, and the signs of life that it
 * gives them. A name that a queue does not know, because the process was taken for dead
 * or Redis lost its data, is given up for the next generation of it, in that queue only.
 * Thread safe.
 */
final class Memberships {

	private static final Logger logger = LoggerFactory.getLogger(Memberships.class);

	private final LivenessStore store;

	private final String process;

	private final DataWatch data;

	private final WorkerEvents events;

	private final Map<String, Membership> members = new ConcurrentHashMap<>();

	private final Object sending = new Object();

	private ProcessState state = ProcessState.RUNNING;

	private volatile BiConsumer<String, String> fencedListener = (queue, name) -> {
	};

	Memberships(LivenessStore store, String process, DataWatch data, WorkerEvents events) {
		this.store = store;
		this.process = process;
		this.data = data;
		this.events = events;
	}

	/**
	 * Set who is told that a name counts no longer, of what queue it was and what it was.
	 */
	void onFenced(BiConsumer<String, String> listener) {
		this.fencedListener = listener;
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
			if (!name.equals(member.joined)) {
				return;
			}
			member.joined = null;
			member.generation++;
		}
		logger.warn("Queue {} does not count this process as alive any more. Its running jobs of that queue are "
				+ "interrupted and will settle nothing; it goes on under a new name", queue);
		this.events.publish(new WorkerEvent.Fenced(queue, name));
		this.fencedListener.accept(queue, name);
	}

	boolean isCurrent(JobToken token) {
		return token.process().equals(member(token.queue()).joined);
	}

	/**
	 * Return the queues that this process has joined, and its name in each.
	 */
	Map<String, String> joined() {
		Map<String, String> joined = new TreeMap<>();
		this.members.forEach((queue, member) -> {
			String name = member.joined;
			if (name != null) {
				joined.put(queue, name);
			}
		});
		return joined;
	}

	/**
	 * Send a sign of life to all joined queues.
	 */
	List<Sign> beat() {
		// One sender at a time, or an older state may overtake a newer one.
		synchronized (this.sending) {
			List<Sign> signs = new ArrayList<>();
			joined().forEach((queue, name) -> {
				long least = this.data.seq(queue);
				signs.add(new Sign(queue, name, least, this.store.beat(queue, name, false, this.state)));
			});
			return signs;
		}
	}

	/**
	 * Tell all joined queues what a death of this process would mean from now on, and
	 * wait until they know.
	 * @throws JobStoreException if Redis is not reachable or did not answer
	 */
	void announce(ProcessState state) {
		synchronized (this.sending) {
			if (this.state != ProcessState.STOPPING) {
				this.state = state;
			}
		}
		beat().forEach((sign) -> Waits.on(sign.answer()));
	}

	/**
	 * Tell the queues with the next heartbeat that there is no suspect here any more.
	 */
	void calm() {
		synchronized (this.sending) {
			if (this.state == ProcessState.SUSPECT) {
				this.state = ProcessState.RUNNING;
			}
		}
	}

	private @Nullable String join(String queue, Membership member) {
		synchronized (member) {
			while (member.joined == null) {
				String name = this.process + "." + member.generation;
				long least = this.data.seq(queue);
				Beat beat = Waits.on(sendJoin(queue, name));
				if (beat.status() == Status.UPGRADE) {
					return null;
				}
				if (beat.status() == Status.FENCED) {
					member.generation++;
				}
				else {
					this.data.seen(queue, least, beat.data());
					member.joined = name;
				}
			}
			return member.joined;
		}
	}

	private CompletableFuture<Beat> sendJoin(String queue, String name) {
		synchronized (this.sending) {
			return this.store.beat(queue, name, true, this.state);
		}
	}

	private Membership member(String queue) {
		Membership member = this.members.get(queue);
		return (member != null) ? member : this.members.computeIfAbsent(queue, (name) -> new Membership());
	}

	/**
	 * A sign of life under way.
	 *
	 * @param queue the queue
	 * @param name the name under which this process has joined it
	 * @param least how many changes of the data set the answer has to tell at least
	 * @param answer the answer
	 */
	record Sign(String queue, String name, long least, CompletableFuture<Beat> answer) {

	}

	private static final class Membership {

		private volatile @Nullable String joined;

		private int generation = 1;

	}

}
