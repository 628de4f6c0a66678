package io.github.steadyjobs.client;

import java.time.Duration;
import java.util.ArrayList;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ThreadFactory;
import java.util.function.Function;

import io.github.steadyjobs.Durability;
import io.github.steadyjobs.JobStoreException;
import io.github.steadyjobs.JobStoreException.Reason;
import io.github.steadyjobs.JobStoreTimeoutException;
import io.github.steadyjobs.JobStoreUnavailableException;
import io.github.steadyjobs.client.JobClientSettings.Outage;
import io.github.steadyjobs.client.WaitingJobs.Waiting;
import io.github.steadyjobs.redis.Admission;
import io.github.steadyjobs.redis.Push;
import io.github.steadyjobs.redis.UnansweredCall;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The jobs that wait in memory until Redis takes them: those of transactions that have
 * committed, for a while, and those of the buffer, as long as it takes. One thread sends
 * them, in their order within each queue. It exists while there are any. Thread safe.
 */
final class Outbox {

	/** What commits may keep here beside the buffer. Memory must stay bounded. */
	static final int MOST_COMMITTED = 10_000;

	private static final long FIRST_PAUSE = 50;

	private static final long LONGEST_PAUSE = 1000;

	/** How long an attempt that is interrupted takes to end. */
	private static final Duration TIME_TO_END = Duration.ofSeconds(1);

	private static final Logger logger = LoggerFactory.getLogger(Outbox.class);

	private final Outage settings;

	private final Function<List<JobDraft>, Push> pusher;

	private final EnqueueReport report;

	private final ThreadFactory threads;

	private final WaitingJobs jobs = new WaitingJobs();

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

	boolean hasBuffer() {
		return this.settings.buffer() > 0;
	}

	/**
	 * Return whether jobs of transactions that have committed are tried again.
	 */
	boolean keepsCommitted() {
		return hasBuffer() || !this.settings.retryAfterCommit().isZero();
	}

	/**
	 * Return whether a job may wait in the buffer. Whoever asks for more than a stored
	 * job needs the answer.
	 */
	boolean mayBuffer(JobDraft draft) {
		return hasBuffer() && draft.options().durability() == Durability.STORED;
	}

	/**
	 * Return whether a job that was not confirmed may wait here.
	 * @param failure why it was not, {@code null} if it was not sent
	 * @param committed whether its caller was told that it is accepted. Others hear of
	 * whatever is not an outage.
	 */
	boolean mayKeep(Waiting job, @Nullable JobStoreException failure, boolean committed) {
		boolean outage = failure == null || job.call() != null || failure instanceof JobStoreUnavailableException;
		return (committed || (outage && mayBuffer(job.draft()))) && job.mayPass(job.draft().outcome(), failure);
	}

	/**
	 * Return whether jobs of a lane wait, which others must not overtake.
	 */
	boolean isBehind(String lane) {
		if (this.size == 0) {
			return false;
		}
		synchronized (this) {
			return this.jobs.has(lane);
		}
	}

	/**
	 * Take jobs over, all or none.
	 * @param committed whether they may wait beside the buffer, for a while
	 * @param reason why Redis does not take them, {@code null} if others wait before them
	 * @return whether there is room for them
	 */
	synchronized boolean offer(List<Waiting> late, boolean committed, @Nullable JobStoreException reason) {
		boolean toBuffer = late.size() <= this.settings.buffer() - this.jobs.buffered();
		boolean aside = committed && !this.settings.retryAfterCommit().isZero()
				&& late.size() <= MOST_COMMITTED - this.jobs.limited();
		long bytes = late.stream().mapToLong(Waiting::size).sum();
		boolean fits = bytes <= this.settings.bufferSize().toBytes() - this.jobs.bytes();
		if (this.closed || !(toBuffer || aside) || !fits || !isSending(reason)) {
			return false;
		}
		long until = System.nanoTime() + this.settings.retryAfterCommit().toNanos();
		for (Waiting job : late) {
			job.until(toBuffer ? null : Long.valueOf(until));
			job.draft().keep(!committed);
			this.jobs.add(job);
		}
		count();
		return true;
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

	private void count() {
		this.size = this.jobs.buffered() + this.jobs.limited();
	}

	private void send() {
		int failures = 0;
		for (List<String> lanes = next(); !lanes.isEmpty(); lanes = next()) {
			boolean progress = false;
			for (String lane : lanes) {
				progress |= send(lane);
			}
			failures = progress ? 0 : failures + 1;
			try {
				Thread.sleep(progress ? 0 : Math.min(FIRST_PAUSE << Math.min(failures, 10), LONGEST_PAUSE));
			}
			catch (InterruptedException ex) {
				return;
			}
		}
	}

	/**
	 * Return the lanes that have jobs. If there are none, or this outbox was closed, the
	 * thread that asks ends.
	 */
	private synchronized List<String> next() {
		if (this.sender != Thread.currentThread()) {
			return List.of();
		}
		List<String> lanes = this.jobs.lanes();
		if (lanes.isEmpty()) {
			this.sender = null;
			logger.info("No job waits for Redis any more");
		}
		return lanes;
	}

	/**
	 * Send the first jobs of a lane.
	 * @return whether fewer are left
	 */
	private boolean send(String lane) {
		List<Waiting> head;
		synchronized (this) {
			head = this.jobs.head(lane);
		}
		if (head.isEmpty() || Thread.currentThread().isInterrupted()) {
			return false;
		}
		UnansweredCall call = head.get(0).call();
		List<Waiting> left = List.of();
		JobStoreException failure = null;
		try {
			Push push = (call != null) ? call.repeat() : this.pusher.apply(head.stream().map(Waiting::draft).toList());
			failure = push.failure();
			left = settle(head, push, call);
		}
		catch (RuntimeException | Error ex) {
			// Nothing that is to be expected. Sent again, it might hold up the others for
			// ever.
			head.forEach((job) -> lose(job, new JobStoreException("It cannot be sent: " + ex, ex)));
		}
		List<Waiting> over;
		synchronized (this) {
			// After the end nobody waits for this any more, and all have been reported.
			over = (this.sender == Thread.currentThread()) ? this.jobs.replace(lane, head, left) : List.of();
			count();
		}
		for (Waiting job : over) {
			lose(job, full(failure, true));
		}
		return left.size() < head.size();
	}

	/**
	 * Report the jobs that were sent and have ended.
	 * @return the others
	 */
	private List<Waiting> settle(List<Waiting> sent, Push push, @Nullable UnansweredCall call) {
		Map<byte[], UnansweredCall> unanswered = push.unanswered();
		// Some jobs of a call that is sent again may have been given up.
		Map<byte[], Integer> places = new IdentityHashMap<>();
		for (int i = 0; call != null && i < call.jobs().size(); i++) {
			places.put(call.jobs().get(i).payload(), i);
		}
		List<Waiting> left = new ArrayList<>();
		for (int i = 0; i < sent.size(); i++) {
			Waiting job = sent.get(i);
			JobDraft draft = job.draft();
			int place = places.getOrDefault(draft.payload(), i);
			Admission admission = push.admissions()[place];
			job.call(unanswered.get(draft.payload()));
			if (admission != null) {
				draft.answer(admission, push.reached());
				report(draft, () -> {
					this.report.answered(draft, admission);
					this.report.checkDurable(List.of(draft));
				});
			}
			else if (job.mayPass(push.outcomes()[place], push.failure())) {
				left.add(job);
			}
			else {
				lose(job, full(push.failure(), true));
			}
		}
		return left;
	}

	private void lose(Waiting job, JobStoreException failure) {
		boolean doubtful = job.call() != null && !(failure instanceof JobStoreTimeoutException);
		report(job.draft(), () -> this.report.lost(job.draft(), doubtful
				? new JobStoreTimeoutException("An earlier call may have stored it; " + failure.getMessage(), failure)
				: failure));
	}

	/**
	 * Report how a job has ended. Whatever that throws, the others have to be sent.
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
	 * Return what to throw if there is no room.
	 * @param reason why Redis does not take a job, {@code null} if others wait before it
	 * @param committed whether its caller was told that it is accepted, and has no use
	 * for words about the buffer
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
	 * Take over nothing more, go on sending for a while, and report what is lost.
	 * @param atMost how long to go on
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
		List<Waiting> lost;
		synchronized (this) {
			lost = this.jobs.clear();
			this.sender = null;
			count();
		}
		String message = "the application stopped before Redis took it";
		boolean sending = last.isAlive();
		for (Waiting job : lost) {
			lose(job, sending ? new JobStoreTimeoutException(message, null)
					: new JobStoreUnavailableException(message, null));
		}
	}

}
