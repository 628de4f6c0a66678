package io.github.steadyjobs.admin;

import java.util.List;
import java.util.stream.Stream;

import io.github.steadyjobs.server.ScriptFixture;

import static io.github.steadyjobs.server.ScriptFixture.HOUR;
import static io.github.steadyjobs.server.ScriptFixture.id;

/**
 * Static methods that call the operator scripts for a queue.
 */
public final class AdminScripts {

	private AdminScripts() {
	}

	/**
	 * Change jobs with an unnumbered call. The dead set keeps at most ten jobs.
	 */
	static String change(ScriptFixture queue, String goal, String place, Object... ids) {
		Stream<Object> arguments = Stream.concat(Stream.of("", "", goal, place, ids.length), Stream.of(ids));
		return queue.text(AdminStore.CHANGE,
				(goal.equals("dead") ? Stream.concat(arguments, Stream.of(10, 180 * 24 * HOUR)) : arguments).toArray());
	}

	/**
	 * Delete the first jobs in a place, up to a maximum number.
	 * @return the number of deleted jobs and the number of jobs left, separated by a
	 * space
	 */
	static String purge(ScriptFixture queue, String place, int wanted) {
		return queue.text(AdminStore.PURGE, "", "", place, wanted);
	}

	public static String releaseLock(ScriptFixture queue, String digest, int holder) {
		return queue.text(JobLocks.RELEASE_LOCK, digest, id(holder));
	}

	static List<JobLock> holders(ScriptFixture queue, String what, Object... arguments) {
		return JobLocks.locks(queue.queue(), queue.run(JobLocks.HOLDERS, ScriptFixture.with(what, arguments)));
	}

}
