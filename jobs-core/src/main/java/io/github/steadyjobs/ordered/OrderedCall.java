package io.github.steadyjobs.ordered;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;

import io.github.steadyjobs.InvalidJobException;
import io.github.steadyjobs.JobPayload;
import org.jspecify.annotations.Nullable;

/**
 * Calls the method of an ordered job with the payloads that were collected for its key. A
 * method that takes a single payload is called for each payload, in the order of scores.
 * Redis records each payload as done before the next payload begins, so that no payload
 * runs again after a later payload, however the run ends. Used by one worker.
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
	 * @param step records that a payload is done, before the next payload begins
	 */
	OrderedCall(Form.Method method, Step step) {
		this.method = method;
		this.step = step;
	}

	void add(@Nullable Object[] values) {
		this.calls.add(values);
	}

	/**
	 * Add a call for each payload, stopping at the first payload that does not fit.
	 * @throws InvalidJobException if the very first payload does not fit
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

	/** Records that a payload is done. */
	interface Step {

		/**
		 * Record that the payload is done, and return whether the next payload may run.
		 */
		boolean next() throws InterruptedException;

	}

}
