package io.github.steadyjobs.server;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;

import io.github.steadyjobs.InvalidJobException;
import io.github.steadyjobs.JobPayload;
import io.github.steadyjobs.definition.JobDefinition;
import io.github.steadyjobs.definition.Sequence;
import org.jspecify.annotations.Nullable;

/**
 * Calls the method of an ordered job with the payloads that have gathered for its key. A
 * method that takes a single payload is called for each, oldest first, and Redis records
 * each as done before the next begins: whatever ends the run, no payload runs again after
 * a newer one. Used by one worker.
 */
final class OrderedCall implements Form.Call {

	private final UnitOfWork job;

	private final OrderedPayloads payloads;

	private final Timeouts.Call call;

	private final Settlements settlements;

	private final List<@Nullable Object[]> calls;

	private final @Nullable InvalidJobException misfit;

	private int begun;

	private boolean stopped;

	private @Nullable Throwable brokenOff;

	private OrderedCall(UnitOfWork job, Timeouts.Call call, Settlements settlements, List<@Nullable Object[]> calls,
			@Nullable InvalidJobException misfit) {
		this.job = job;
		this.payloads = payloads(job);
		this.call = call;
		this.settlements = settlements;
		this.calls = calls;
		this.misfit = misfit;
	}

	/**
	 * Bind the payloads of jobs that run together: one job, unless the method takes
	 * payloads by key. A method that takes a single payload is called with those before
	 * the first one that does not fit.
	 * @param call calls the method
	 * @throws InvalidJobException if they do not fit the method, or if the first one does
	 * not fit
	 */
	static OrderedCall bind(List<UnitOfWork> jobs, JobDefinition definition, Sequence sequence, Timeouts.Call call,
			Settlements settlements) {
		UnitOfWork job = jobs.get(0);
		List<@Nullable Object[]> calls = new ArrayList<>();
		if (sequence.form() == Sequence.Form.ONE) {
			for (JobPayload payload : payloads(job).all()) {
				try {
					calls.add(definition.bind(payload, job));
				}
				catch (InvalidJobException ex) {
					if (calls.isEmpty()) {
						throw ex;
					}
					return new OrderedCall(job, call, settlements, calls, ex);
				}
			}
		}
		else {
			Map<String, List<JobPayload>> byKey = new LinkedHashMap<>();
			jobs.forEach((each) -> byKey.put(String.valueOf(each.key()), payloads(each).all()));
			calls.add(definition.bindAll(byKey, job));
		}
		return new OrderedCall(job, call, settlements, calls, null);
	}

	private static OrderedPayloads payloads(UnitOfWork job) {
		return (OrderedPayloads) job.form();
	}

	@Override
	public void proceed() throws Exception {
		try {
			callAll();
		}
		catch (Throwable ex) {
			this.brokenOff = isLast() ? null : ex;
			throw ex;
		}
	}

	@Override
	public @Nullable Throwable brokenOff() {
		return this.brokenOff;
	}

	@Override
	public @Nullable InvalidJobException misfit() {
		return (this.begun == this.calls.size() && !this.stopped) ? this.misfit : null;
	}

	private boolean isLast() {
		return this.begun == this.calls.size() && this.misfit == null;
	}

	private void callAll() throws Exception {
		while (!this.stopped && this.begun < this.calls.size()) {
			this.begun++;
			this.call.proceed(this.calls.get(this.begun - 1));
			this.stopped = !isLast() && !advance();
		}
	}

	/**
	 * Report to Redis that a payload is done, and wait for the confirmation.
	 * @return whether the next one may run; not if the job was cancelled or is no longer
	 * held by this process, which its settlement will find as well
	 * @throws InterruptedException if the process stops
	 */
	private boolean advance() throws InterruptedException {
		CompletableFuture<Settlement> answer = this.settlements.advance(this.job, this.payloads.sizeBehindCurrent(),
				this.payloads.freshEnvelope());
		boolean done = await(answer) == Settlement.DONE;
		if (done) {
			this.payloads.advanced();
			if (this.job.isCutShort()) {
				throw new InterruptedException("The process stops");
			}
		}
		return done;
	}

	private Settlement await(CompletableFuture<Settlement> answer) throws InterruptedException {
		while (true) {
			try {
				return answer.get();
			}
			catch (InterruptedException ex) {
				// Any other interrupt was meant for the payload, which has ended by now.
				if (this.job.isCutShort() || this.job.isLost()) {
					throw ex;
				}
			}
			catch (ExecutionException ex) {
				throw new IllegalStateException(ex);
			}
		}
	}

}
