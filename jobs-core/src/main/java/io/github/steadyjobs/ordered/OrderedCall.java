package io.github.steadyjobs.ordered;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;

import io.github.steadyjobs.InvalidJobException;
import io.github.steadyjobs.JobPayload;
import org.jspecify.annotations.Nullable;

/**
 * Calls the method of an ordered job with the payloads that have gathered for its key. A
 * method that takes a single payload is called for each, oldest first, and Redis records
 * each as done before the next begins: whatever ends the run, no payload runs again after
 * a newer one. Used by one worker.
 */
final class OrderedCall implements Form.Call {

	private final Form.Method method;

	private final Step step;

	private final List<@Nullable Object[]> calls = new ArrayList<>();

	private @Nullable InvalidJobException misfit;

	private int begun;

	private boolean stopped;

	private @Nullable Throwable brokenOff;

	/**
	 * Create a call.
	 * @param step goes on to the next payload
	 */
	OrderedCall(Form.Method method, Step step) {
		this.method = method;
		this.step = step;
	}

	void add(@Nullable Object[] values) {
		this.calls.add(values);
	}

	/**
	 * Add a call for each payload, up to the first one that does not fit.
	 * @throws InvalidJobException if the very first one does not
	 */
	void addAll(List<JobPayload> payloads, Function<JobPayload, @Nullable Object[]> binder) {
		for (JobPayload payload : payloads) {
			try {
				this.calls.add(binder.apply(payload));
			}
			catch (InvalidJobException ex) {
				if (this.calls.isEmpty()) {
					throw ex;
				}
				this.misfit = ex;
				return;
			}
		}
	}

	@Override
	public void proceed() throws Exception {
		try {
			while (!this.stopped && this.begun < this.calls.size()) {
				this.begun++;
				this.method.proceed(this.calls.get(this.begun - 1));
				this.stopped = !isLast() && !this.step.next();
			}
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

	/**
	 * Reports that a payload is done.
	 */
	interface Step {

		/** Return whether the next payload may run. */
		boolean next() throws InterruptedException;

	}

}
