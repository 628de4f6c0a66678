package io.github.steadyjobs.boot;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.function.ToLongFunction;
import java.util.stream.Collectors;

import io.github.steadyjobs.admin.JobAdmin;
import io.github.steadyjobs.admin.JobPauses;
import io.github.steadyjobs.admin.JobProcess;
import io.github.steadyjobs.admin.JobProcesses;
import io.github.steadyjobs.admin.QueueState;

/**
 * An overview of the state of all jobs.
 */
final class OverviewSubject implements EndpointSubject {

	private final JobAdmin admin;

	private final HistorySubject history;

	private final JobProcesses processes;

	private final JobPauses pauses;

	OverviewSubject(JobAdmin admin, HistorySubject history, JobProcesses processes, JobPauses pauses) {
		this.admin = admin;
		this.history = history;
		this.processes = processes;
		this.pauses = pauses;
	}

	@Override
	public Map<String, ?> read(OperationArguments arguments) {
		List<QueueState> queues = this.admin.queues();
		Map<String, Object> answer = new LinkedHashMap<>();
		String version = JobsProperties.version();
		if (version != null) {
			answer.put("version", version);
		}
		answer.put("totals", totals(queues));
		answer.put("lastHour", this.history.lastHour());
		answer.put("processes", count(this.processes.list()));
		answer.put("pauses", this.pauses.list());
		answer.put("queues", queues);
		return answer;
	}

	/**
	 * Show only counts, because there may be many processes. The subject 'processes'
	 * lists them.
	 */
	private static Map<String, Object> count(List<JobProcess> processes) {
		Map<String, Object> counts = new LinkedHashMap<>();
		counts.put("count", processes.size());
		counts.put("concurrency", processes.stream().mapToInt(JobProcess::concurrency).sum());
		counts.put("states", counted(processes, (process) -> process.state().name()));
		counts.put("versions", counted(processes, (process) -> process.origin().version()));
		return counts;
	}

	private static Map<String, Long> counted(List<JobProcess> processes, Function<JobProcess, String> property) {
		return processes.stream().collect(Collectors.groupingBy(property, TreeMap::new, Collectors.counting()));
	}

	private static Map<String, Long> totals(List<QueueState> queues) {
		Map<String, ToLongFunction<QueueState>> counts = new LinkedHashMap<>();
		counts.put("ready", QueueState::ready);
		counts.put("working", QueueState::working);
		counts.put("scheduled", QueueState::scheduled);
		counts.put("retries", QueueState::retries);
		counts.put("parked", QueueState::parked);
		counts.put("dead", QueueState::dead);
		Map<String, Long> totals = new LinkedHashMap<>();
		counts.forEach((name, count) -> totals.put(name, queues.stream().mapToLong(count).sum()));
		return totals;
	}

}
