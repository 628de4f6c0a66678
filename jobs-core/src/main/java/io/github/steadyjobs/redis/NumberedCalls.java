package io.github.steadyjobs.redis;

import java.security.SecureRandom;
import java.time.Duration;
import java.util.Deque;
import java.util.HexFormat;
import java.util.List;
import java.util.concurrent.ConcurrentLinkedDeque;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import java.util.function.Supplier;

import io.github.steadyjobs.JobStoreException;
import io.github.steadyjobs.JobStoreTimeoutException;
import io.github.steadyjobs.JobStoreUnavailableException;
import org.jspecify.annotations.Nullable;

/**
 * Makes calls with numbers, so that Redis can distinguish a new call from a repeated or
 * late copy. Each call is made in a slot. A slot has one call under way at a time, and
 * gives each call a number that is one higher than the previous number. Thread safe.
 */
public final class NumberedCalls {

	/**
	 * While a call waits for a slot, up to this much of the call's timeout is reserved
	 * for the answer. If a call were sent with no time left, its result would be unknown.
	 */
	private static final long RESERVE = TimeUnit.SECONDS.toNanos(1);

	private final StoreCalls calls;

	private final int size;

	private final Supplier<String> names;

	/**
	 * The free slots, most recently used first, so that a producer uses as few slots as
	 * possible: Redis keeps an entry for each used slot, and may have to search all
	 * entries.
	 */
	private final Deque<Slot> slots = new ConcurrentLinkedDeque<>();

	/** Fair, so that callers get slots in order of arrival. */
	private final Semaphore free;

	private final AtomicInteger next = new AtomicInteger();

	private volatile String producer;

	/**
	 * Create calls.
	 * @param calls sends the calls
	 * @param size the maximum number of calls under way at the same time
	 * @param names creates producer names that are unique among all processes
	 */
	public NumberedCalls(StoreCalls calls, int size, Supplier<String> names) {
		this.calls = calls;
		this.size = size;
		this.names = names;
		this.free = new Semaphore(size, true);
		this.producer = names.get();
		for (int i = 0; i < size; i++) {
			this.slots.addLast(new Slot(this.next.getAndIncrement()));
		}
	}

	/** Create a name that is unique among all processes. */
	public static String randomName() {
		byte[] random = new byte[6];
		new SecureRandom().nextBytes(random);
		return HexFormat.of().formatHex(random);
	}

	/** Continue under a new name, because another process may use the current name. */
	public void rename() {
		this.producer = this.names.get();
	}

	/** Return the unnumbered calls on which the numbered calls are based. */
	public StoreCalls calls() {
		return this.calls;
	}

	/**
	 * Remove jobs with a call that is carried out only once, so that a late copy removes
	 * no jobs that were added later. Without a number, a late copy could do so, because
	 * the id of an ordered job is used again by the next job of its key, and because a
	 * purge removes all jobs in a place.
	 * @param arguments adds the arguments after the number of the call
	 * @return the answer of the script
	 * @throws JobStoreException if Redis refused the call, is not reachable or did not
	 * answer
	 */
	public String remove(JobScript script, String queue, Consumer<ScriptCall> arguments) {
		try (Slot slot = take(this.calls.timeout())) {
			ScriptCall call = slot.begin(script, queue);
			arguments.accept(call);
			String answer = this.calls.text(call);
			if (answer.equals("UPGRADE")) {
				throw new JobStoreException("A newer version of Steady Jobs has changed the layout of this queue; "
						+ "nothing was removed. Update this application.");
			}
			checkName(answer);
			return answer;
		}
	}

	/**
	 * Continue under a new name if another process uses the current name.
	 * @param answer the answer to a numbered call
	 * @throws JobStoreTimeoutException if the answer shows that another process uses the
	 * name
	 */
	private void checkName(String answer) {
		if (answer.equals("STALE") || answer.equals("OTHER")) {
			rename();
			throw new JobStoreTimeoutException("Another process numbers its calls under the name of this one, as after "
					+ "both were restored from the same snapshot; the call may have been carried out. Further calls "
					+ "go under another name.", null);
		}
	}

	/** Take a slot if a slot is free and no other caller is waiting. Does not wait. */
	public @Nullable Slot poll() {
		return (!this.free.hasQueuedThreads() && this.free.tryAcquire()) ? next() : null;
	}

	/**
	 * Take a slot, and wait for a free slot if all slots are in use.
	 * @param timeout how long the call that needs the slot may take, including the wait
	 * for the slot
	 * @throws JobStoreUnavailableException if no slot becomes free in time, or the thread
	 * is interrupted
	 */
	public Slot take(Duration timeout) {
		Slot slot = poll();
		if (slot != null) {
			return slot;
		}
		Duration patience = timeout.minusNanos(Math.min(timeout.toNanos() / 4, RESERVE));
		long deadline = System.nanoTime() + patience.toNanos();
		while (true) {
			try {
				if (this.free.tryAcquire(deadline - System.nanoTime(), TimeUnit.NANOSECONDS)) {
					return next();
				}
				throw new JobStoreUnavailableException(
						"This application has %d calls under way, which is the limit, and this one got no slot within %d ms; nothing was sent. Redis is slow or does not answer, or 'spring.data.redis.timeout' (%s) is too short."
							.formatted(this.size, patience.toMillis(), timeout),
						null);
			}
			catch (InterruptedException ex) {
				if (!Interrupts.arePostponed()) {
					Thread.currentThread().interrupt();
					throw RedisErrors.interrupted(ex);
				}
			}
		}
	}

	private Slot next() {
		return this.slots.removeFirst().next(this.producer);
	}

	private void giveBack(Slot slot) {
		this.slots.addFirst(slot);
		this.free.release();
	}

	/**
	 * A slot, and the call that is under way in the slot. Closing the slot frees it for
	 * another call. Used by one thread at a time.
	 */
	public final class Slot implements AutoCloseable {

		private final int index;

		private String producer = "";

		private String name = "";

		private long number;

		private @Nullable ReplicaWait replicas;

		private @Nullable RedisCall first;

		private boolean kept;

		private Slot(int index) {
			this.index = index;
		}

		/** Begin the next call. */
		private Slot next(String producer) {
			if (!producer.equals(this.producer)) {
				this.producer = producer;
				this.name = producer + "/" + this.index;
			}
			this.number++;
			this.first = null;
			return this;
		}

		/** Begin to write a copy of the current call. */
		public ScriptCall begin(JobScript script, String queue) {
			return NumberedCalls.this.calls.to(script, queue).add(this.name).add(this.number);
		}

		/**
		 * Send the first copy of the call. Neither waits nor throws.
		 * @param timeout how long the copy may be under way
		 * @param replicas the connection for this copy and further copies if the call
		 * should be replicated; {@code null} to send copies to the node of the queue
		 */
		public void send(ScriptCall copy, Duration timeout, @Nullable ReplicaWait replicas) {
			this.replicas = replicas;
			this.first = sent(copy, timeout);
		}

		private RedisCall sent(ScriptCall copy, Duration timeout) {
			return (this.replicas != null) ? copy.sendTo(this.replicas.connection(), timeout)
					: NumberedCalls.this.calls.sendCopy(copy, timeout);
		}

		/**
		 * Return whether the first copy has been sent or has failed. Calls that are
		 * waiting for a connection may overtake each other.
		 */
		public boolean isSent() {
			return this.first != null && this.first.sent().isDone();
		}

		/**
		 * Wait for the answer, and send further copies if necessary.
		 * @param copies creates a copy
		 * @param deadline the {@link System#nanoTime()} at which to give up
		 * @param patience the maximum time to wait, if the deadline is later
		 * @throws JobStoreException if Redis refused the call, is not reachable or did
		 * not answer, or if another process makes calls under the same name
		 */
		public List<Object> answer(Supplier<ScriptCall> copies, long deadline, Duration patience) {
			List<Object> answer;
			try {
				answer = ask(copies, deadline, patience);
			}
			catch (JobStoreException ex) {
				if (this.replicas == null || !RedisErrors.isElsewhere(ex.getCause())) {
					throw ex;
				}
				// The queue is moving to another node. A copy that may be sent to any
				// node of the cluster finds the queue, and the number prevents the call
				// from being carried out twice.
				this.replicas = null;
				answer = ask(copies, deadline, patience);
			}
			checkName(Answers.text(answer, 0));
			return answer;
		}

		private List<Object> ask(Supplier<ScriptCall> copies, long deadline, Duration patience) {
			Duration left = left(deadline);
			return Attempts.ask(() -> {
				RedisCall first = this.first;
				this.first = null;
				return (first != null) ? first : sent(copies.get(), left(deadline));
			}, (left.compareTo(patience) < 0) ? left : patience);
		}

		private static Duration left(long deadline) {
			return Duration.ofNanos(Math.max(0, deadline - System.nanoTime()));
		}

		/**
		 * Return whether all copies were sent on the connection on which replicas can
		 * acknowledge them.
		 */
		public boolean isReplicated() {
			return this.replicas != null;
		}

		/**
		 * Never use this slot for another call, so that the current call can be sent
		 * again even after the slot has been closed. A later call in the same slot would
		 * make this impossible. From now on, copies are sent to the node of the queue.
		 */
		public void keep() {
			this.kept = true;
			this.replicas = null;
			// A new slot replaces this slot.
			giveBack(new Slot(NumberedCalls.this.next.getAndIncrement()));
		}

		/** Give the slot back: the call was answered, or nobody needs the answer. */
		@Override
		public void close() {
			if (!this.kept) {
				giveBack(this);
			}
		}

		@Override
		public String toString() {
			return this.name + " " + this.number;
		}

	}

}
