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
 * The jobs that wait in memory until Redis accepts them: jobs of committed transactions,
 * for a limited time, and jobs of the buffer, as long as it takes. One thread sends them,
 * in order within each queue. The thread exists while there are any. Thread safe.
 */
final class Outbox {

	/** How many jobs commits may keep here at least. Memory must stay bounded. */
	static final int MOST_COMMITTED = 10_000;

	private static final int MOST_AT_ONCE = 1000;

	private static final long FIRST_PAUSE = 50;

	private static final long LONGEST_PAUSE = 1000;

	/** How long an attempt that is interrupted takes to end. */
	private static final Duration TIME_TO_END = Duration.ofSeconds(1);

	private static final Logger logger = LoggerFactory.getLogger(Outbox.class);

	private final Outage settings;

	private final Function<List<JobDraft>, Push> pusher;

	private final EnqueueReport report;

	private final ThreadFactory threads;

	/** In order of arrival. */
	private final Set<JobDraft> jobs = new LinkedHashSet<>();

	/** How many of the jobs are of each lane. */
	private final Map<String, Integer> lanes = new ConcurrentHashMap<>();

	private long bytes;

	private volatile int size;

	private volatile boolean closed;

	private @Nullable Thread sender;

	/**
	 * Create an outbox.
	 * @param pusher pushes drafts of one lane, and keeps calls that are not answered
	 * @param report gets to know how the jobs end
	 * @param threads makes the thread that sends
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
	 * Return how many jobs may wait when another one joins them, 0 if it must not.
	 * @param committed whether its caller was told that it was accepted
	 */
	int room(boolean committed) {
		boolean retried = committed && !this.settings.retryAfterCommit().isZero();
		return retried ? Math.max(MOST_COMMITTED, this.settings.buffer()) : this.settings.buffer();
	}

	/**
	 * Return whether a job may wait in the buffer. A caller that asks for more than a
	 * stored job needs the answer.
	 */
	boolean mayBuffer(JobDraft draft) {
		return this.settings.buffer() > 0 && draft.options().durability() == Durability.STORED;
	}

	/**
	 * Return whether a job that was not confirmed may wait here.
	 * @param failure why it was not, {@code null} if it was not sent
	 * @param committed whether its caller was told that it was accepted. Other callers
	 * get any failure that is not an outage.
	 */
	boolean mayKeep(JobDraft draft, @Nullable JobStoreException failure, boolean committed) {
		boolean outage = failure == null || draft.call() != null || failure instanceof JobStoreUnavailableException;
		return (committed || (outage && mayBuffer(draft))) && draft.mayPass(draft.outcome(), failure);
	}

	/** Return whether jobs of a lane wait, which others must not overtake. */
	boolean isBehind(String lane) {
		return this.lanes.containsKey(lane);
	}

	/**
	 * Take jobs over, all or none. Those that find room in the buffer wait as long as it
	 * takes, others of a commit for a while.
	 * @param committed whether their callers were told that they were accepted
	 * @param reason why Redis does not take them, {@code null} if others wait before them
	 * @return whether there is room for them
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
	 * Start a thread that sends, unless there is one. It waits for the lock until there
	 * are jobs to send.
	 * @return whether there is one now
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
			// Such as the refusal of a new thread. The next job tries again.
			logger.error("Jobs cannot wait in the memory of this process, because no thread can be started that sends "
					+ "them", ex);
			return false;
		}
		logger.warn("Redis does not take jobs for now. They wait in the memory of this process, and are stored once it "
				+ "does", reason);
		return true;
	}

	/**
	 * Send the first jobs of each lane, and begin again after a pause if Redis took none.
	 */
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

	/** Return whether the current thread has to continue sending. */
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
	 * Return the first job of a lane that was not tried yet, and those that go into the
	 * same call.
	 */
	private synchronized List<JobDraft> head(Set<String> tried) {
		List<JobDraft> head = new ArrayList<>();
		for (JobDraft draft : this.jobs) {
			JobDraft first = head.isEmpty() ? draft : head.get(0);
			if (tried.contains(draft.lane()) || !draft.lane().equals(first.lane())) {
				continue;
			}
			// An unanswered call is sent again as it was.
			if (head.size() == MOST_AT_ONCE || draft.call() != first.call()) {
				break;
			}
			head.add(draft);
		}
		return head;
	}

	/**
	 * Send jobs of one lane. If Redis did not accept all of them, give up those whose
	 * time has passed.
	 * @return whether fewer are left
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
			// Nothing that is to be expected. Sent again, it might hold up the others for
			// ever.
			head.forEach((draft) -> lose(draft, new JobStoreException("It cannot be sent: " + ex, ex)));
		}
		for (JobDraft draft : end(ended, (ended.size() < head.size()) ? head.get(0).lane() : null)) {
			lose(draft, full(failure, true));
		}
		return !ended.isEmpty();
	}

	/**
	 * Remove jobs that are done, and jobs of a lane whose time has passed.
	 * @return the latter
	 */
	private synchronized List<JobDraft> end(List<JobDraft> ended, @Nullable String lane) {
		// After the end no caller waits for this any more, and all jobs have been
		// reported.
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
	 * Report the jobs that were sent and have ended.
	 * @return these
	 */
	private List<JobDraft> settle(List<JobDraft> sent, Push push, @Nullable EnqueueCall call) {
		// Some jobs of a call that is sent again may have been given up.
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

	/** Report how a job has ended. Whatever that throws, the others have to be sent. */
	private static void report(JobDraft draft, Runnable reporting) {
		try {
			reporting.run();
		}
		catch (Throwable ex) {
			logger.error("It could not be reported how job {} of queue {} has ended", draft, draft.queue(), ex);
		}
	}

	/**
	 * Return the exception if there is no room.
	 * @param reason why Redis does not take a job, {@code null} if others wait before it
	 * @param committed whether its caller was told that it was accepted, so a message
	 * about the buffer would be of no use
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
	 * Accept nothing more, continue sending for a while, and report lost jobs.
	 * @param atMost how long to continue
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
