package io.github.steadyjobs.server;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

import io.github.steadyjobs.redis.Answers;
import org.jspecify.annotations.Nullable;

/**
 * The answer to a claim.
 *
 * @param status whether the queue handed out jobs
 * @param seq the number of changes to the queue's data set, 0 if unknown
 * @param rest the state of the queue after the claim
 * @param jobs the jobs, oldest first
 */
record Claim(Status status, long seq, Rest rest, List<ClaimedJob> jobs) {

	static Claim of(Request request, List<Object> answer) {
		Status status = Status.valueOf(Answers.text(answer, 0));
		if (answer.size() == 1) {
			return new Claim(status, 0, Rest.NONE, List.of());
		}
		if (status == Status.PAUSED) {
			return new Claim(status, 0, new Rest(Answers.number(answer, 2), 0, false, Answers.number(answer, 3)),
					List.of());
		}
		Rest rest = new Rest(Answers.number(answer, 2), Answers.number(answer, 3), Answers.number(answer, 4) == 1,
				Answers.number(answer, 6));
		long micros = Answers.number(answer, 1);
		long now = TimeUnit.MICROSECONDS.toMillis(micros);
		long seq = Answers.number(answer, 5);
		// The clock advances even if data was lost. The number of changes, which starts
		// at the time of the data set's creation, advances even if the clock is set back.
		long fencingToken = Math.max(seq, micros);
		int count = Math.toIntExact(Answers.number(answer, 7));
		List<Object> pairs = answer.subList(8, answer.size());
		Map<String, String> positions = positions(pairs.subList(2 * count, pairs.size()));
		String claim = request.token();
		List<ClaimedJob> jobs = new ArrayList<>(count);
		for (int i = 0; i < 2 * count; i += 2) {
			String id = Answers.ascii(pairs.get(i));
			jobs.add(new ClaimedJob(new JobToken(request.queue(), request.process(), id, claim),
					(byte @Nullable []) pairs.get(i + 1), positions.getOrDefault(id, ""), now, fencingToken));
		}
		return new Claim(status, seq, rest, jobs);
	}

	private static Map<String, String> positions(List<?> pairs) {
		if (pairs.isEmpty()) {
			return Map.of();
		}
		Map<String, String> positions = new HashMap<>();
		for (int i = 0; i < pairs.size(); i += 2) {
			positions.put(Answers.ascii(pairs.get(i)), Answers.ascii(pairs.get(i + 1)));
		}
		return positions;
	}

	/**
	 * A request for jobs from a capsule. If a request is repeated with the same number,
	 * Redis gives the same answer.
	 *
	 * @param queue the name of the queue or of its part
	 * @param process the name under which the process has joined the queue
	 * @param capsule the name of the capsule
	 * @param number one more than the number of the capsule's previous claim on this
	 * queue
	 * @param wanted the number of jobs to claim, at most 1,000; 0 to take back a copy of
	 * this claim that may not have been carried out yet
	 * @param atOnce how many of these jobs can begin now; the rest are claimed ahead
	 * @param once whether the jobs must not run again, whatever happens to the first run
	 * @param forSuspect whether to claim one suspect (a job that may have killed
	 * processes)
	 */
	record Request(String queue, String process, String capsule, long number, int wanted, int atOnce, boolean once,
			boolean forSuspect) {

		/** Return the text that identifies this claim in the tokens of its jobs. */
		String token() {
			return this.capsule + "/" + this.number + mark();
		}

		/** Return whether this claim handed out the job with this token. */
		boolean brings(JobToken token) {
			return token.queue().equals(this.queue) && token.process().equals(this.process)
					&& token.claim().equals(token());
		}

		String mark() {
			return this.once ? JobToken.ONCE : "";
		}

	}

	/**
	 * The state of a queue after a claim.
	 *
	 * @param untilDue milliseconds until the next job of the queue is due or the pause of
	 * the queue ends; -1 if no job will become due and there is no pause
	 * @param ready the number of jobs that are still ready
	 * @param withheld whether some of these jobs were not claimed ahead because a process
	 * that died had held one of them
	 * @param rules the version of the rules in force in the queue
	 */
	record Rest(long untilDue, long ready, boolean withheld, long rules) {

		static final Rest NONE = new Rest(-1, 0, false, 0);

	}

	/** The queue's response to a claim. */
	enum Status {

		/** The queue handed out its available jobs, up to the requested number. */
		OK,

		/** The queue is paused and hands out nothing. */
		PAUSED,

		/** A later claim of this capsule has already been carried out. */
		STALE,

		/** The process has not joined the queue, or was presumed dead. */
		FENCED,

		/** A newer version of this library has changed the queue's layout. */
		UPGRADE

	}

}
