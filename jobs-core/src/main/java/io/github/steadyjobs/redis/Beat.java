package io.github.steadyjobs.redis;

import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * The answer to a heartbeat.
 *
 * @param status whether the process counts as alive in the queue
 * @param parked number of parked jobs
 * @param everParked number of times that a job was parked
 * @param counters the heartbeat counters of all processes of the queue
 */
public record Beat(Claim.Status status, long parked, long everParked, Map<String, Long> counters) {

	static Beat of(List<Object> answer) {
		Claim.Status status = Claim.Status.valueOf(Answers.text(answer, 0));
		if (status != Claim.Status.OK) {
			return new Beat(status, 0, 0, Map.of());
		}
		Map<String, Long> counters = new HashMap<>();
		for (int i = 3; i < answer.size(); i += 2) {
			String counter = Answers.text(answer, i + 1);
			if (!counter.equals("FENCED")) {
				counters.put(Answers.text(answer, i), Long.valueOf(counter));
			}
		}
		return new Beat(status, Answers.number(answer, 1), Answers.number(answer, 2), counters);
	}

}
