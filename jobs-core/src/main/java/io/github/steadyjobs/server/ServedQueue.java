package io.github.steadyjobs.server;

import java.time.Duration;
import java.util.concurrent.TimeUnit;

import org.jspecify.annotations.Nullable;

/**
 * The state of a queue or part as a capsule sees it, and the capsule's current claim. A
 * claim must be answered before the next claim is made. Methods must be called by one
 * thread at a time, unless their descriptions say otherwise.
 */
final class ServedQueue {

	/** A queue that refuses to hand out jobs is asked again after this time. */
	private static final long STOPPED_FOR = Duration.ofSeconds(5).toNanos();

	/**
	 * The longest time between two checks. New jobs are announced by hints or, if a hint
	 * is lost, by heartbeats. This limit matters only if hints and heartbeats fail.
	 */
	private static final long LONGEST_REST = Duration.ofMinutes(1).toNanos();

	/**
	 * A capsule that is busy with other queues does not wait for hints. So an empty queue
	 * is asked again after this time, if there are free workers.
	 */
	private static final long ASK_AGAIN_AFTER = Duration.ofMillis(5).toNanos();

	private static final long JOIN_AGAIN_AFTER = Duration.ofMillis(200).toNanos();

	/**
	 * If an answer takes longer than this, the room for its jobs is given to other
	 * queues.
	 */
	private static final long LATE_AFTER = Duration.ofMillis(500).toNanos();

	private final Capsule.Queue queue;

	private final String name;

	private long lookAt = System.nanoTime();

	private long askedAt = System.nanoTime() - ASK_AGAIN_AFTER;

	private long number;

	/**
	 * The number of ready jobs after the last claim. Until the number is known, the queue
	 * is assumed to have a job.
	 */
	private long left = 1;

	private boolean hinted;

	private int owed;

	private boolean withdrawn;

	private boolean stopped;

	private boolean joining;

	private boolean joined;

	private long joiningSince = System.nanoTime() - JOIN_AGAIN_AFTER;

	/** Whether the queue was paused when it last answered. */
	private boolean paused;

	private volatile Claim.@Nullable Request unanswered;

	/** Whether all copies of the current claim were sent along with waits for hints. */
	private boolean waiting;

	private volatile long answered;

	private int share;

	private long firstSentAt;

	private long sentAt;

	/** The number of copies that were not sent along with a wait. */
	private int copies;

	private boolean late;

	private long expectedSeq;

	ServedQueue(Capsule.Queue queue, String name) {
		this.queue = queue;
		this.name = name;
	}

	String name() {
		return this.name;
	}

	int batchSize() {
		return this.queue.batchSize();
	}

	/**
	 * Make the next claim, or another copy of the claim that waits. The claim must be
	 * repeated until it is answered.
	 * @param share the number of runs for which there is room; 0 to take back a claim
	 * that waits
	 * @param atOnce how many of these runs can begin immediately
	 * @param seq the minimum number of changes to the data set that the answer must
	 * report
	 */
	void newClaim(String process, String capsule, int share, int atOnce, boolean forSuspect, long seq) {
		request(process, capsule, share, atOnce, forSuspect, seq);
		this.waiting = false;
		this.sentAt = System.nanoTime();
		this.copies++;
		this.late = false;
		this.hinted = false;
		this.owed = 0;
	}

	/**
	 * Make a claim of one run, to be sent along with a wait for hints. If a claim waits
	 * already, this is another copy of it with the same number, so sending both does no
	 * harm.
	 * @param seq as in {@link #newClaim}
	 */
	void newWaitingClaim(String process, String capsule, long seq) {
		request(process, capsule, 1, 1, false, seq);
		this.waiting = true;
	}

	private void request(String process, String capsule, int share, int atOnce, boolean forSuspect, long seq) {
		int size = forSuspect ? 1 : batchSize();
		if (!this.waiting) {
			this.number++;
			this.firstSentAt = System.nanoTime();
			this.expectedSeq = seq;
			this.copies = 0;
		}
		this.share = share;
		this.unanswered = new Claim.Request(this.name, process, capsule, this.number, share * size,
				Math.min(atOnce, share) * size, this.queue.atMostOnce(), forSuspect);
	}

	/**
	 * Return whether a claim may be sent along with the next wait: the queue is believed
	 * to be empty, and nothing keeps it from handing out jobs. If the machine dies during
	 * a wait, Redis may still carry the claim out, so jobs that must not run twice are
	 * claimed only after a hint: they would be dead without having begun.
	 */
	boolean mayWait() {
		return this.joined && !this.withdrawn && !this.stopped && !this.paused && !this.queue.atMostOnce() && !hasMore()
				&& !isUnderWay();
	}

	/**
	 * Return whether the current claim waits for a hint: each of its copies that may
	 * still be answered was sent along with a wait.
	 */
	boolean isWaiting() {
		return this.waiting;
	}

	/** Forget the current claim, because it has been answered or must not be repeated. */
	void forget() {
		this.unanswered = null;
		this.waiting = false;
	}

	/**
	 * Return the current claim, which waits or is under way; {@code null} if all claims
	 * have been answered. Callable by any thread.
	 */
	Claim.@Nullable Request unanswered() {
		return this.unanswered;
	}

	/** Return whether a claim is under way that does not just wait for a hint. */
	boolean isUnderWay() {
		return this.unanswered != null && !this.waiting;
	}

	long expectedSeq() {
		return this.expectedSeq;
	}

	/** Return the {@link System#nanoTime()} before which no copy had been sent. */
	long firstSentAt() {
		return this.firstSentAt;
	}

	/**
	 * Return the number of the latest claim that was answered. When this method returns,
	 * the jobs of that claim are counted as held. Callable by any thread.
	 */
	long answered() {
		return this.answered;
	}

	void repeat() {
		this.copies++;
	}

	/** Return the number of copies of the claim that were not sent along with a wait. */
	int copies() {
		return this.copies;
	}

	/** Stop reserving room for the answer, which may arrive much later. */
	void late() {
		this.late = true;
		this.owed = 0;
	}

	/**
	 * Return how many nanoseconds remain until the answer to the claim is late;
	 * {@link Long#MAX_VALUE} if it is late already.
	 */
	long untilLate(long now) {
		return this.late ? Long.MAX_VALUE : Math.max(0, this.sentAt + LATE_AFTER + 1 - now);
	}

	/**
	 * Return the maximum number of runs from the current claim, plus any other room that
	 * is reserved for this queue. No room is reserved for a late answer.
	 */
	int expected(long now) {
		if (!isUnderWay()) {
			return 0;
		}
		if (!this.late && now - this.sentAt > LATE_AFTER) {
			late();
		}
		return this.late ? 0 : this.share + this.owed;
	}

	/** Reserve more room for this queue while its claim is under way. */
	void owe(int room) {
		this.owed += room;
	}

	/**
	 * Take the room that was reserved for this queue while a claim was under way. Return
	 * 0 if the queue has no more jobs, so that other queues get the room.
	 */
	int takeOwed() {
		int room = hasMore() ? this.owed : 0;
		this.owed = 0;
		return room;
	}

	/**
	 * Return whether the queue gets a share of the room, because it may have jobs or a
	 * claim is under way.
	 * @param timed whether the queue may be asked merely because enough time has passed
	 * @param listening whether a hint would announce new jobs
	 */
	boolean isWorthAsking(long now, boolean timed, boolean listening) {
		if (this.withdrawn || !this.joined) {
			return false;
		}
		if (isUnderWay()) {
			return !this.late;
		}
		boolean due = timed && now - this.lookAt >= 0;
		if (this.stopped) {
			return due;
		}
		return hasMore() || due || (!listening && now - this.askedAt >= ASK_AGAIN_AFTER);
	}

	/** Return whether the last claim left jobs or a later hint has announced jobs. */
	boolean hasMore() {
		return hasLeft() || (this.hinted && !this.withdrawn && !this.stopped);
	}

	/** Return whether the last claim left jobs in the queue. */
	boolean hasLeft() {
		return this.left > 0 && !this.withdrawn && !this.stopped;
	}

	void hint() {
		this.hinted = true;
	}

	/**
	 * Remove a hint that cannot be used.
	 * @return whether there was a hint
	 */
	boolean takeHint() {
		boolean hint = this.hinted;
		this.hinted = false;
		return hint;
	}

	/**
	 * Record an answer.
	 * @return whether Redis withheld jobs that were to be claimed ahead
	 */
	boolean answered(Claim claim) {
		this.askedAt = System.nanoTime();
		this.answered = this.number;
		forget();
		this.left = claim.rest().ready();
		this.stopped = false;
		this.paused = claim.status() == Claim.Status.PAUSED;
		long untilDue = claim.rest().untilDue();
		this.lookAt = this.askedAt
				+ ((untilDue >= 0) ? Math.min(LONGEST_REST, TimeUnit.MILLISECONDS.toNanos(untilDue)) : LONGEST_REST);
		return claim.rest().withheld();
	}

	/** Set whether any capsule of this process has joined the queue. */
	void setJoined(boolean joined) {
		this.joined = joined;
	}

	boolean hasToBeJoined(long now) {
		return !this.joined && !this.withdrawn && !this.joining && now - this.joiningSince >= JOIN_AGAIN_AFTER;
	}

	void joining(long now) {
		this.joining = true;
		this.joiningSince = now;
	}

	void joinAnswered() {
		this.joining = false;
	}

	/** Return whether the process is joining and the answer is not late yet. */
	boolean isJoining(long now) {
		return this.joining && !this.joined && now - this.joiningSince < LATE_AFTER;
	}

	void lookNow() {
		this.lookAt = System.nanoTime();
	}

	/**
	 * Return the time until the queue has to be checked even without a hint.
	 * @return the time in nanoseconds; negative if the check is overdue
	 */
	long untilLook(long now) {
		if (this.withdrawn) {
			return Long.MAX_VALUE;
		}
		return this.joined ? this.lookAt - now : JOIN_AGAIN_AFTER;
	}

	/** Check the queue again, because answers differ under the new process name. */
	void fenced() {
		forget();
		this.left = 0;
		lookNow();
	}

	/**
	 * Claim nothing from this queue for a while, because Redis refuses to hand out its
	 * jobs.
	 * @return whether this is the first refusal in succession
	 */
	boolean stop() {
		boolean first = !this.stopped;
		this.left = 0;
		this.stopped = true;
		this.lookAt = System.nanoTime() + STOPPED_FOR;
		return first;
	}

	/** Never claim from this queue again. */
	void withdraw() {
		forget();
		this.withdrawn = true;
	}

}
