package io.github.steadyjobs.client;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;

import io.github.steadyjobs.ClientInterceptor;
import io.github.steadyjobs.Durability;
import io.github.steadyjobs.EnqueueResult;
import io.github.steadyjobs.InvalidJobException;
import io.github.steadyjobs.JobPayload;
import io.github.steadyjobs.JobRequest;
import io.github.steadyjobs.ordered.Gathered;
import io.github.steadyjobs.redis.JobIds;
import io.github.steadyjobs.redis.PayloadCodec;
import org.jspecify.annotations.Nullable;

import org.springframework.context.ApplicationContext;
import org.springframework.context.ApplicationContextAware;
import org.springframework.context.ApplicationListener;
import org.springframework.context.SmartLifecycle;
import org.springframework.context.event.ContextClosedEvent;
import org.springframework.core.annotation.AnnotationAwareOrderComparator;
import org.springframework.util.Assert;

/**
 * The client of an application. Thread safe.
 * <p>
 * The client works without being started. When it is stopped, it tries to send the jobs
 * that wait for Redis. The client is stopped after all beans that may still enqueue jobs,
 * and while connections are still open. The shutdown timeout is counted from when the
 * context begins to close, because the client keeps retrying jobs while other beans stop.
 */
final class RedisJobClient implements PreparingJobClient, SmartLifecycle, ApplicationListener<ContextClosedEvent>,
		ApplicationContextAware {

	/** Lower than the phase of web servers, which must be drained first. */
	private static final int PHASE = SmartLifecycle.DEFAULT_PHASE - 4096;

	/** Time for one last attempt, even if the shutdown timeout has passed. */
	private static final Duration LAST_ATTEMPT = Duration.ofSeconds(1);

	private final JobDrafts drafts;

	private final List<ClientInterceptor> interceptors;

	private final EnqueueObserver observer;

	private final JobWriter writer;

	private final Transactions transactions;

	private final JobStorage store;

	private final PayloadCodec codec;

	private final Duration shutdownTimeout;

	private @Nullable ApplicationContext context;

	private volatile @Nullable Long closing;

	/**
	 * Create a client.
	 * @param interceptors the interceptors, in any order
	 */
	RedisJobClient(JobDrafts drafts, List<ClientInterceptor> interceptors, JobWriter writer, JobStorage store,
			PayloadCodec codec, JobClientSettings settings) {
		this.drafts = drafts;
		List<ClientInterceptor> sorted = new ArrayList<>(interceptors);
		AnnotationAwareOrderComparator.sort(sorted);
		this.interceptors = List.copyOf(sorted);
		this.writer = writer;
		this.transactions = new Transactions(writer);
		this.store = store;
		this.codec = codec;
		this.observer = settings.observer();
		this.shutdownTimeout = settings.outage().shutdownTimeout();
	}

	@Override
	public EnqueueResult enqueue(JobRequest request) {
		Assert.notNull(request, "'request' must not be null; make one with JobRequest.of(…) or JobRequest.named(…)");
		// The job is stored within the chain, so that interceptors see the answer from
		// Redis.
		return observe(this.drafts.begin(request), (draft) -> {
			if (this.transactions.isActive() && !draft.options().beforeCommit()) {
				draft.defer();
				this.transactions.add(List.of(draft));
			}
			else {
				this.transactions.store(() -> this.writer.store(draft));
			}
		}).result();
	}

	@Override
	public @Nullable Prepared prepare(JobRequest request, String id) {
		JobDraft draft = observe(this.drafts.begin(id, request), (written) -> {
		});
		return draft.isReady() ? new Prepared(draft.queue(), this.writer.toStore(draft),
				(admission) -> this.writer.answered(draft, admission, Durability.STORED)) : null;
	}

	@Override
	public List<EnqueueResult> enqueueAll(Iterable<JobRequest> requests) {
		Assert.notNull(requests, "'requests' must not be null; for none pass an empty list");
		ObservedPush push = new ObservedPush(this.observer);
		Throwable failure = null;
		try {
			return enqueueAll(requests, push);
		}
		catch (Throwable ex) {
			failure = ex;
			throw ex;
		}
		finally {
			push.end(failure);
		}
	}

	private List<EnqueueResult> enqueueAll(Iterable<JobRequest> requests, ObservedPush push) {
		// Read once, outside the interceptors, because interceptors may open transactions
		// of their own.
		boolean transaction = this.transactions.isActive();
		List<JobDraft> all = new ArrayList<>((requests instanceof Collection<?> known) ? known.size() : 10);
		List<JobDraft> deferred = new ArrayList<>(0);
		Consumer<JobDraft> last = (draft) -> {
			if (transaction && !draft.options().beforeCommit()) {
				draft.defer();
				deferred.add(draft);
			}
		};
		try {
			for (JobRequest request : requests) {
				Assert.notNull(request,
						() -> "'requests' must not contain null, but element %d is null".formatted(all.size()));
				JobDraft begun = this.drafts.begin(request);
				all.add(begun);
				push.begin(begun);
				admit(begun, last);
			}
		}
		catch (Throwable ex) {
			// Drafts without a stored form have already been reported.
			this.writer.abandon(all.stream().filter(JobDraft::isWritten).toList(), ex);
			throw ex;
		}
		if (!deferred.isEmpty()) {
			this.transactions.add(deferred);
		}
		List<JobDraft> ready = new ArrayList<>(all.size());
		all.forEach((draft) -> {
			if (draft.isReady()) {
				ready.add(draft);
			}
		});
		return this.transactions.store(() -> this.writer.storeAll(ready, all));
	}

	/** Pass the only draft of an observed call through interceptors and all checks. */
	private JobDraft observe(JobDraft draft, Consumer<JobDraft> last) {
		EnqueueObserver.Call call = draft.observe(this.observer);
		Throwable failure = null;
		try {
			return admit(draft, last);
		}
		catch (Throwable ex) {
			failure = ex;
			throw ex;
		}
		finally {
			call.leave();
			call.end(1, (failure == null) ? draft.result() : null, failure);
		}
	}

	/**
	 * Pass a draft through the interceptors and all checks.
	 * @param last the end of the chain; not called if an interceptor stops the request
	 */
	private JobDraft admit(JobDraft draft, Consumer<JobDraft> last) {
		try {
			if (this.interceptors.isEmpty()) {
				this.drafts.write(draft);
				last.accept(draft);
			}
			else {
				intercept(draft, last);
			}
			return draft;
		}
		catch (Throwable ex) {
			refuse(draft, ex);
			throw ex;
		}
	}

	private void intercept(JobDraft draft, Consumer<JobDraft> last) {
		InterceptorChain chain = new InterceptorChain(draft.id(), this.interceptors, (changed) -> {
			this.drafts.change(draft, changed);
			this.drafts.write(draft);
			last.accept(draft);
			return draft.result();
		});
		if (chain.proceed(draft.request()) instanceof EnqueueResult.Stopped) {
			draft.stop();
			refuse(draft, null);
		}
	}

	private void refuse(JobDraft draft, @Nullable Throwable reason) {
		// After the draft has been written, the code that stores it reports its result.
		if (!draft.isWritten()) {
			this.writer.abandon(List.of(draft), reason);
		}
	}

	@Override
	public Optional<JobPayload> find(String id) {
		Assert.notNull(id, "'id' must not be null; pass the id that enqueue(…) returned");
		// No round trip is needed for an id that no job can have.
		return JobIds.isId(id) ? this.store.find(id, (queue, bytes) -> read(id, queue, bytes)) : Optional.empty();
	}

	private JobPayload read(String id, String queue, byte[] bytes) {
		try {
			JobPayload job = Gathered.next(this.codec, queue, bytes);
			// Parse everything now, so that the caller can read the whole job.
			job.json();
			return job;
		}
		catch (InvalidJobException ex) {
			throw new InvalidJobException(
					"Job %s is stored, and what is stored cannot be read. %s".formatted(id, ex.getMessage()), ex);
		}
	}

	@Override
	public boolean cancel(String id, boolean mayInterruptIfRunning) {
		Assert.notNull(id, "'id' must not be null; pass the id that enqueue(…) returned");
		return JobIds.isId(id) && this.store.cancel(id, mayInterruptIfRunning);
	}

	@Override
	public int waiting() {
		return this.writer.outbox().size();
	}

	@Override
	public void setApplicationContext(ApplicationContext context) {
		this.context = context;
	}

	@Override
	public void onApplicationEvent(ContextClosedEvent event) {
		// A parent context also receives the event when its children close.
		if (event.getApplicationContext() == this.context) {
			this.closing = System.nanoTime();
		}
	}

	@Override
	public void start() {
		this.closing = null;
		this.writer.outbox().open();
	}

	@Override
	public void stop() {
		Long since = this.closing;
		Duration left = (since != null) ? this.shutdownTimeout.minusNanos(System.nanoTime() - since)
				: this.shutdownTimeout;
		this.writer.outbox().close((left.compareTo(LAST_ATTEMPT) > 0) ? left : LAST_ATTEMPT);
	}

	@Override
	public boolean isRunning() {
		// Also true before the client is started, because a client that is created late
		// is never started.
		return this.writer.outbox().isOpen();
	}

	@Override
	public int getPhase() {
		return PHASE;
	}

}
