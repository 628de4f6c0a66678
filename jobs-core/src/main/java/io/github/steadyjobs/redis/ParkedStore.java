package io.github.steadyjobs.redis;

import java.util.ArrayList;
import java.util.Collection;
import java.util.List;

/**
 * Puts parked jobs back into their queues when the reasons for parking them no longer
 * hold. Thread safe.
 */
public final class ParkedStore {

	private static final int READ_AT_ONCE = 1000;

	private final StoreCalls calls;

	public ParkedStore(RedisConnections connections, String prefix) {
		this.calls = StoreCalls.of(connections, prefix);
	}

	/**
	 * Search all parked jobs of a queue, in bounded steps. Jobs that were parked for one
	 * of the given reasons, or for a pause that is over, go back to the head of the
	 * queue, oldest first. If there are more than 1,000 parked jobs, they are sorted only
	 * within each step. Jobs whose move to another queue has taken too long go back to
	 * where they were.
	 * @param reasons the reasons that do not hold for this process, each as it was given
	 * when jobs were parked. {@code unbound:<name>/<signature>} stands for all reasons
	 * that begin with {@code unbound:<name>/} and do not list the signature; without a
	 * signature, it stands for all reasons with that beginning
	 * @return the result of the search
	 * @throws io.github.steadyjobs.JobStoreException if Redis refused a call, is not
	 * reachable or did not answer. Jobs that earlier steps have put back stay there
	 */
	public Found lookThrough(String queue, Collection<String> reasons) {
		List<String> known = new ArrayList<>(reasons);
		Found found = new Found(0, 0, -1);
		String cursor = "0";
		do {
			ScriptCall call = this.calls.to(JobScript.UNPARK, queue).add(cursor).add(READ_AT_ONCE);
			known.forEach(call::addText);
			List<Object> answer = this.calls.run(call);
			cursor = Answers.text(answer, 0);
			found = new Found(found.moved() + Answers.number(answer, 1), found.back() + Answers.number(answer, 2),
					earlier(found.nextBack(), Answers.number(answer, 3)));
			((List<?>) answer.get(4)).forEach((name) -> known.add("tried:" + Answers.utf8(name)));
		}
		while (!cursor.equals("0"));
		return found;
	}

	private static long earlier(long one, long other) {
		return (one < 0) ? other : (other < 0) ? one : Math.min(one, other);
	}

	/**
	 * The result of a search of parked jobs.
	 *
	 * @param moved the number of jobs that are ready again
	 * @param back the number of jobs put back because their move to another queue was
	 * interrupted
	 * @param nextBack the milliseconds until the oldest move under way counts as
	 * interrupted; -1 if no move is under way
	 */
	public record Found(long moved, long back, long nextBack) {

	}

}
