package io.github.steadyjobs.server;

import java.util.ArrayList;
import java.util.List;

import io.github.steadyjobs.redis.Answers;

/**
 * The result of one step of removing a process from a queue.
 *
 * @param status whether the process could be removed
 * @param moved the number of jobs of the process that went back to the queue
 * @param left the number of jobs that the process still holds
 * @param doomed the jobs that the process still holds and that must be moved to the dead
 * set
 */
record RecoveryStep(Status status, long moved, long left, List<Doomed> doomed) {

	static RecoveryStep of(List<Object> answer, String queue, String process) {
		Status status = Status.valueOf(Answers.text(answer, 0));
		if (status != Status.OK) {
			return new RecoveryStep(status, 0, 0, List.of());
		}
		List<Doomed> doomed = new ArrayList<>();
		for (int i = 3; i < answer.size(); i += 4) {
			JobToken token = new JobToken(queue, process, Answers.text(answer, i), Answers.text(answer, i + 1));
			doomed.add(new Doomed(token, (byte[]) answer.get(i + 2), Answers.number(answer, i + 3)));
		}
		return new RecoveryStep(status, Answers.number(answer, 1), Answers.number(answer, 2), doomed);
	}

	/** Whether a process could be removed from a queue. */
	enum Status {

		/** The process is being removed. */
		OK,

		/** The process has sent another heartbeat. Nothing was changed. */
		ALIVE,

		/** The process has never joined the queue, or has already been removed. */
		GONE

	}

	/**
	 * A job that must not run again.
	 *
	 * @param token gives the right to settle the job
	 * @param payload the payload as stored
	 * @param crashes the number of processes that have died while running the job; 0 if
	 * the job dies only because it must not run twice
	 */
	record Doomed(JobToken token, byte[] payload, long crashes) {

	}

}
