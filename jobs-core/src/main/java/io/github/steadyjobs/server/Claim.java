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
 * @param now Redis time in milliseconds since the epoch, 0 if unknown
 * @param seq the number of changes of the queue's data set, 0 if unknown
 * @param rest the state of the queue after the claim
 * @param jobs the jobs, oldest first
 */
record Claim(Status status, long now, long seq, Rest rest, List<ClaimedJob> jobs) {

	static Claim of(Request request, List<Object> answer) {
		Status status = Status.valueOf(Answers.text(answer, 0));
		if (answer.size() == 1) {
			return new Claim(status, 0, 0, Rest.NONE, List.of());
		}
		if (status == Status.PAUSED) {
			return new Claim(status, Answers.number(answer, 1), 0,
					new Rest(Answers.number(answer, 2), 0, false, Answers.number(answer, 3)), List.of());
		}
		Rest rest = new Rest(Answers.number(answer, 2), Answers.number(answer, 3), Answers.number(answer, 4) == 1,
				Answers.number(answer, 9));
		long micros = Answers.number(answer, 1);
		long now = TimeUnit.MICROSECONDS.toMillis(micros);
		long seq = Answers.number(answer, 5);
		// The clock keeps the token growing if data were lost; the number of changes does
		// so if the clock was set back.
		long fencingToken = Math.max(seq, micros);
		List<?> ids = (List<?>) answer.get(6);
		List<?> payloads = (List<?>) answer.get(7);
		Map<String, String> positions = positions((List<?>) answer.get(8));
		String claim = request.token();
		List<ClaimedJob> jobs = new ArrayList<>(ids.size());
		for (int i = 0; i < ids.size(); i++) {
			String id = Answers.ascii(ids.get(i));
			jobs.add(new ClaimedJob(new JobToken(request.queue(), request.process(), id, claim),
					(byte @Nullable []) payloads.get(i), positions.getOrDefault(id, ""), now, fencingToken));
		}
		return new Claim(status, now, seq, rest, jobs);
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
	 * A request for jobs for a capsule. If it is sent again with the same number, the
	 * answer is the same.
	 *
	 * @param queue the queue
	 * @param process the name under which the process has joined the queue
	 * @param capsule the capsule
	 * @param number one more than the number of the capsule's previous claim on this
	 * queue
	 * @param wanted how many jobs to claim, at most 1,000
	 * @param atOnce how many of them begin at once; the others are claimed ahead
	 * @param once whether the jobs must not run again, whatever happens to the first run
	 * @param forSuspect whether to claim only a single job, which may have killed
	 * processes
	 */
	record Request(String queue, String process, String capsule, long number, int wanted, int atOnce, boolean once,
			boolean forSuspect) {

		/** Return the text that proves that a job was handed out by this claim. */
		String token() {
			return this.capsule + "/" + this.number + mark();
		}

		/** Return whether a job was handed out by this claim. */
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
	 * @param untilDue milliseconds until the next job of the queue is due or its pause
	 * ends; -1 if it has no such job and no pause
	 * @param ready the number of jobs that are still ready
	 * @param withheld whether some of these jobs were not claimed ahead because one of
	 * them had been held by a process that died
	 * @param rules the version of the rules that the queue obeys
	 */
	record Rest(long untilDue, long ready, boolean withheld, long rules) {

		static final Rest NONE = new Rest(-1, 0, false, 0);

	}

	/** Tells whether a queue handed out jobs. */
	enum Status {

		/** The queue handed out what it had. */
		OK,

		/** The queue is paused and hands out nothing. */
		PAUSED,

		/** A later claim of this capsule was carried out. */
		STALE,

		/** The process has not joined the queue, or was taken for dead. */
		FENCED,

		/** A newer version of this library has changed the queue's layout. */
		UPGRADE

	}

}
