package io.github.steadyjobs.redis;

import java.util.List;
import java.util.function.Function;

import io.github.steadyjobs.JobStoreException;
import io.github.steadyjobs.JobStoreUnavailableException;

/**
 * A numbered call that stores jobs.
 */
final class EnqueueCall {

	private EnqueueCall() {
	}

	/**
	 * Run a call in a slot of its own.
	 */
	static List<Admission> run(CallSlots slots, QueueKeys keys, List<NewJob> jobs,
			Function<ScriptCall, List<Object>> runner) {
		CallSlots.Slot slot = take(slots);
		try {
			return read(runner.apply(of(slot, keys, jobs)));
		}
		finally {
			slots.giveBack(slot);
		}
	}

	static CallSlots.Slot take(CallSlots slots) {
		try {
			return slots.take();
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
			throw new JobStoreUnavailableException(
					"The thread was interrupted before it could enqueue; nothing was sent", ex);
		}
	}

	static ScriptCall of(CallSlots.Slot slot, QueueKeys keys, List<NewJob> jobs) {
		ScriptCall call = ScriptCall
			.of(JobScript.ENQUEUE, keys.calls(), keys.meta(), keys.payloads(), keys.ready(), keys.scheduled(),
					keys.wake(), keys.locks(), keys.lockof(), keys.again(), keys.working(), keys.windows())
			.add(slot.name())
			.add(slot.number());
		for (NewJob job : jobs) {
			call.add(job.id()).add(job.payload());
			if (job.delay() != null) {
				call.add(job.delay());
			}
			else {
				call.add("");
			}
			call.add((job.lock() != null) ? job.lock().text() : "");
		}
		return call;
	}

	static List<Admission> read(List<Object> answer) {
		String letters = Answers.text(answer, 0);
		if (letters.equals("UPGRADE")) {
			throw new JobStoreException("A newer version of Steady Jobs has changed the layout of this queue; "
					+ "nothing was stored. Update this application.");
		}
		if (letters.equals("STALE")) {
			throw new JobStoreException("A later call of this producer was carried out; nothing was stored");
		}
		return Admission.of(letters);
	}

}
