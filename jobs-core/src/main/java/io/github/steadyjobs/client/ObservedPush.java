package io.github.steadyjobs.client;

import java.util.ArrayList;
import java.util.List;

import org.jspecify.annotations.Nullable;

/**
 * A bulk push as its observer sees it: one call for each 1,000 jobs. Calls begin one
 * after another and end together, because nothing is sent before all jobs have passed all
 * checks. Used by one thread.
 */
final class ObservedPush {

	private static final int JOBS_PER_CALL = 1000;

	private final EnqueueObserver observer;

	private final List<EnqueueObserver.Call> calls = new ArrayList<>(1);

	private int jobs;

	ObservedPush(EnqueueObserver observer) {
		this.observer = observer;
	}

	/** Make a draft part of the current call or, if that is full, of a new call. */
	void begin(JobDraft draft) {
		if (this.jobs++ % JOBS_PER_CALL == 0) {
			leave();
			this.calls.add(draft.observe(this.observer));
		}
		else {
			draft.join(last());
		}
	}

	/** Leave the last call, in which the jobs were stored, and end all calls. */
	void end(@Nullable Throwable failure) {
		leave();
		for (int index = 0; index < this.calls.size(); index++) {
			int size = Math.min(JOBS_PER_CALL, this.jobs - index * JOBS_PER_CALL);
			this.calls.get(index).end(size, null, failure);
		}
	}

	private void leave() {
		if (!this.calls.isEmpty()) {
			last().leave();
		}
	}

	private EnqueueObserver.Call last() {
		return this.calls.get(this.calls.size() - 1);
	}

}
