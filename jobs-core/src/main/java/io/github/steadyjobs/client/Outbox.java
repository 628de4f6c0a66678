package io.github.steadyjobs.client;

import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.IdentityHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ThreadFactory;
import java.util.function.Function;

import io.github.steadyjobs.Durability;
import io.github.steadyjobs.JobStoreException;
import io.github.steadyjobs.JobStoreException.Reason;
import io.github.steadyjobs.JobStoreTimeoutException;
import io.github.steadyjobs.JobStoreUnavailableException;
import io.github.steadyjobs.client.JobClientSettings.Outage;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The jobs that wait in memory until Redis accepts them. Jobs that fit in the buffer wait
 * as long as necessary, and other jobs of committed transactions for a limited time. One
 * thread sends all these jobs, in order within each queue. The thread exists only while
 * there are jobs. Thread safe.
 */
final class Outbox {

	/**
	 * Maximum number of waiting jobs of committed transactions, unless the buffer is
	 * larger. Without a limit, memory use would not be bounded.
	 */
	static final int MOST_COMMITTED = 10_000;

	private static final long FIRST_PAUSE = 50;

	private static final long LONGEST_PAUSE = 1000;

	/** How long to wait for an interrupted attempt to end. */
	private static final Duration TIME_TO_END = Duration.ofSeconds(1);

	private static final Logger logger = LoggerFactory.getLogger(Outbox.class);

	private final Outage settings;

	private final Function<List<JobDraft>, Push> pusher;

	private final EnqueueReport report;

	private final ThreadFactory threads;

	/** The jobs in order of arrival. */
	private final Set<JobDraft> jobs = new LinkedHashSet<>();

	/** The number of jobs in each lane. */
	private final Map<String, Integer> lanes = new ConcurrentHashMap<>();

	private long bytes;

	private volatile int size;

	private volatile boolean closed;

	private @Nullable Thread sender;

	/**
	 * Create an outbox.
	 * @param pusher pushes drafts of one lane, and keeps calls that are not answered
	 * @param report receives the results of the jobs
	 * @param threads creates the thread that sends jobs
	 */
	Outbox(Outage settings, Function<List<JobDraft>, Push> pusher, EnqueueReport report, ThreadFactory threads) {
		this.settings = settings;
		this.pusher = pusher;
		this.report = report;
		this.threads = threads;
	}

	int size() {
		return this.size;
	}

	/**
	 * Return the maximum number of waiting jobs, including a new job; 0 if a new job must
	 * not wait.
	 * @param committed whether the new job was already reported to its caller as accepted
	 */
	int room(boolean committed) {
		boolean retried = committed && !this.settings.retryAfterCommit().isZero();
		return retried ? Math.max(MOST_COMMITTED, this.settings.buffer()) : this.settings.buffer();
	}

	/**
	 * Return whether a job may wait in the buffer. A caller that asks for more durability
	 * than {@link Durability#STORED} needs the answer from Redis.
	 */
	boolean mayBuffer(JobDraft draft) {
		return this.settings.buffer() > 0 && draft.options().durability() == Durability.STORED;
	}

	/**
	 * Return whether an unconfirmed job may wait here.
	 * @param failure why the job was not confirmed, {@code null} if it was not sent
	 * @param committed whether the job was already reported to its caller as accepted. If
	 * not, any failure that is not an outage is thrown to the caller.
	 */
	boolean mayKeep(JobDraft draft, @Nullable JobStoreException failure, boolean committed) {
		boolean outage = failure == null || draft.call() != null || failure instanceof JobStoreUnavailableException;
		return (committed || (outage && mayBuffer(draft))) && draft.mayPass(draft.outcome(), failure);
	}

	/** Return whether jobs of a lane are waiting here and must not be overtaken. */
	boolean isBehind(String lane) {
		return this.lanes.containsKey(lane);
	}

	/**
	 * Take over all of the given jobs, or none of them. Jobs that fit in the buffer wait
	 * for as long as necessary, and other jobs of a commit for a limited time.
	 * @param committed whether the jobs were already reported as accepted
	 * @param reason why Redis does not accept them, {@code null} if they must wait for
	 * earlier jobs
	 * @return whether the jobs were taken over
	 */
	synchronized boolean offer(List<JobDraft> late, boolean committed, @Nullable JobStoreException reason) {
		int count = this.size + late.size();
		long bytes = this.bytes + late.stream().mapToLong((draft) -> draft.payload().length).sum();
		if (this.closed || count > room(committed) || bytes > this.settings.bufferSize().toBytes()
				|| !isSending(reason)) {
			return false;
		}
		Long until = (count > this.settings.buffer())
				? Long.valueOf(System.nanoTime() + this.settings.retryAfterCommit().toNanos()) : null;
		for (JobDraft draft : late) {
			draft.until(until);
			draft.keep(!committed);
			this.jobs.add(draft);
			count(draft, 1);
		}
		return true;
	}

	private void count(JobDraft draft, int change) {
		this.bytes += change * draft.payload().length;
		this.size = this.jobs.size();
		this.lanes.merge(draft.lane(), change, (before, by) -> (before + by > 0) ? Integer.valueOf(before + by) : null);
	}

	private void remove(List<JobDraft> ended) {
		for (JobDraft draft : ended) {
			this.jobs.remove(draft);
			count(draft, -1);
		}
	}

	/**
	 * Start the sending thread, unless it is running. The new thread first waits for the
	 * lock, which the caller holds.
	 * @return whether the thread is running now
	 */
	private boolean isSending(@Nullable JobStoreException reason) {
		if (this.sender != null) {
			return true;
		}
		try {
			Thread thread = this.threads.newThread(this::send);
			thread.setName("steady-jobs-outbox");
			thread.setDaemon(true);
			thread.start();
			this.sender = thread;
		}
		catch (Throwable ex) {
			// For example, a thread cannot be created. The next job leads to another
			// attempt.
			logger.error("Jobs cannot wait in the memory of this process, because no thread can be started that sends "
					+ "them", ex);
			return false;
		}
		logger.warn("Redis does not take jobs for now. They wait in the memory of this process, and are stored once it "
				+ "does", reason);
		return true;
	}

	/** Send the first jobs of each lane repeatedly. Pause if no job has ended. */
	private void send() {
		Set<String> tried = new HashSet<>();
		boolean progress = false;
		int failures = 0;
		while (isNeeded()) {
			List<JobDraft> head = head(tried);
			if (!head.isEmpty()) {
				tried.add(head.get(0).lane());
				progress |= send(head);
				continue;
			}
			failures = progress ? 0 : failures + 1;
			try {
				Thread.sleep(progress ? 0 : Math.min(FIRST_PAUSE << Math.min(failures, 10), LONGEST_PAUSE));
			}
			catch (InterruptedException ex) {
				return;
			}
			tried.clear();
			progress = false;
		}
	}

	/** Return whether the current thread must continue sending. */
	private synchronized boolean isNeeded() {
		if (this.sender != Thread.currentThread() || this.sender.isInterrupted()) {
			return false;
		}
		if (this.jobs.isEmpty()) {
			this.sender = null;
			logger.info("No job waits for Redis any more");
		}
		return this.sender != null;
	}

	/**
	 * Return the first job of a lane that has not been tried in this round, and the later
	 * jobs of that lane that go into the same call; empty if all lanes have been tried.
	 */
	private synchronized List<JobDraft> head(Set<String> tried) {
		List<JobDraft> head = new ArrayList<>();
		long bytes = 0;
		for (JobDraft draft : this.jobs) {
			JobDraft first = head.isEmpty() ? draft : head.get(0);
			if (tried.contains(draft.lane()) || !draft.lane().equals(first.lane())) {
				continue;
			}
			bytes += draft.payload().length;
			boolean isFull = head.size() == BulkPush.CHUNK_JOBS || (bytes > BulkPush.CHUNK_BYTES && !head.isEmpty());
			// An unanswered call is sent again unchanged.
			if (isFull || draft.call() != first.call()) {
				break;
			}
			head.add(draft);
		}
		return head;
	}

	/**
	 * Send jobs of one lane. If some of them have to be sent again, give up on those jobs
	 * of the lane that have waited too long.
	 * @return whether any of the jobs have ended
	 */
	private boolean send(List<JobDraft> head) {
		EnqueueCall call = head.get(0).call();
		List<JobDraft> ended = head;
		JobStoreException failure = null;
		try {
			Push push = (call != null) ? Push.repeat(call) : this.pusher.apply(head);
			failure = push.failure();
			ended = settle(head, push, call);
		}
		catch (RuntimeException | Error ex) {
			// This is unexpected. If these jobs were sent again, they might hold up other
			// jobs forever.
			head.forEach((draft) -> lose(draft, new JobStoreException("It cannot be sent: " + ex, ex)));
		}
		for (JobDraft draft : end(ended, (ended.size() < head.size()) ? head.get(0).lane() : null)) {
			lose(draft, full(failure, true));
		}
		return !ended.isEmpty();
	}

	/**
	 * Remove jobs that have ended, and jobs of the given lane that have waited too long.
	 * @return the jobs that have waited too long
	 */
	private synchronized List<JobDraft> end(List<JobDraft> ended, @Nullable String lane) {
		// If the outbox has been closed in the meantime, all jobs have already been
		// removed and reported.
		if (this.sender != Thread.currentThread()) {
			return List.of();
		}
		remove(ended);
		List<JobDraft> over = this.jobs.stream()
			.filter((draft) -> draft.lane().equals(lane) && draft.isOver())
			.toList();
		remove(over);
		return over;
	}

	/**
	 * Report the result of each sent job that Redis has answered or that is given up.
	 * Jobs that have to be sent again are left out.
	 * @return the jobs whose results were reported
	 */
	private List<JobDraft> settle(List<JobDraft> sent, Push push, @Nullable EnqueueCall call) {
		// The outbox may already have given up some jobs of a call that is sent again.
		Map<byte[], Integer> places = new IdentityHashMap<>();
		for (int i = 0; call != null && i < call.jobs().size(); i++) {
			places.put(call.jobs().get(i).payload(), i);
		}
		List<JobDraft> ended = new ArrayList<>();
		for (int i = 0; i < sent.size(); i++) {
			JobDraft draft = sent.get(i);
			int place = places.getOrDefault(draft.payload(), i);
			Admission admission = push.admissions()[place];
			draft.call(push.unanswered(place));
			if (admission != null) {
				draft.answer(admission, push.reached());
				report(draft, () -> {
					this.report.answered(draft, admission);
					this.report.checkDurable(List.of(draft));
				});
			}
			else if (draft.mayPass(push.outcomes()[place], push.failure())) {
				continue;
			}
			else {
				lose(draft, full(push.failure(), true));
			}
			ended.add(draft);
		}
		return ended;
	}

	private void lose(JobDraft draft, JobStoreException failure) {
		boolean doubtful = draft.call() != null && !(failure instanceof JobStoreTimeoutException);
		report(draft, () -> this.report.lost(draft, doubtful
				? new JobStoreTimeoutException("An earlier call may have stored it; " + failure.getMessage(), failure)
				: failure));
	}

	/**
	 * Report a job's result. Catches any exception, because other jobs must still be
	 * sent.
	 */
	private static void report(JobDraft draft, Runnable reporting) {
		try {
			reporting.run();
		}
		catch (Throwable ex) {
			logger.error("It could not be reported how job {} of queue {} has ended", draft, draft.queue(), ex);
		}
	}

	/**
	 * Return the exception for a job that cannot wait here, or cannot wait any longer.
	 * @param reason why Redis does not accept a job, {@code null} if it must wait for
	 * earlier jobs
	 * @param committed whether the job was already reported to its caller as accepted, in
	 * which case a message about the buffer would not help
	 */
	JobStoreException full(@Nullable JobStoreException reason, boolean committed) {
		if (reason != null && (committed || reason instanceof JobStoreTimeoutException)) {
			return reason;
		}
		return new JobStoreUnavailableException((reason != null) ? reason.reason() : Reason.UNREACHABLE,
				"Redis takes no jobs for now, and no more may wait in memory: 'steadyjobs.client.buffer' is %d, and 'steadyjobs.client.buffer-size' %d MB. Nothing was sent.%s"
					.formatted(this.settings.buffer(), this.settings.bufferSize().toMegabytes(),
							(reason != null) ? " " + reason.getMessage() : ""),
				reason);
	}

	void open() {
		this.closed = false;
	}

	boolean isOpen() {
		return !this.closed;
	}

	/**
	 * Accept no more jobs, continue sending, and report the remaining jobs as lost.
	 * @param atMost the maximum time to continue sending
	 */
	void close(Duration atMost) {
		Thread last;
		synchronized (this) {
			this.closed = true;
			last = this.sender;
		}
		if (last == null) {
			return;
		}
		try {
			last.join(Math.max(1, atMost.toMillis()));
			last.interrupt();
			last.join(TIME_TO_END.toMillis());
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
		}
		List<JobDraft> lost;
		synchronized (this) {
			lost = List.copyOf(this.jobs);
			remove(lost);
			this.sender = null;
		}
		String message = "the application stopped before Redis took it";
		boolean sending = last.isAlive();
		for (JobDraft draft : lost) {
			lose(draft, sending ? new JobStoreTimeoutException(message, null)
					: new JobStoreUnavailableException(message, null));
		}
	}

}
