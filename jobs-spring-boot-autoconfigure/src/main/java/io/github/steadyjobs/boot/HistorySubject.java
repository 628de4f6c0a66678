package io.github.steadyjobs.boot;

import java.time.Duration;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.SortedMap;

import io.github.steadyjobs.admin.JobHistory;
import io.github.steadyjobs.admin.RunTotals;

/**
 * Past runs by minute, of one job or of all jobs combined. Covers the last hour, unless
 * the request specifies another time range. Operators can add marks here.
 */
final class HistorySubject implements EndpointSubject {

	private static final Duration USUAL = Duration.ofHours(1);

	private final JobHistory history;

	HistorySubject(JobHistory history) {
		this.history = history;
	}

	@Override
	public Map<String, ?> read(OperationArguments arguments) {
		Instant to = arguments.earlier("to", Instant.now());
		Instant from = arguments.earlier("from", to.minus(USUAL));
		Map<String, Object> answer = period(from, to, this.history.minutes(from, to));
		answer.put("jobs", this.history.names(from, to).stream().map((job) -> {
			Map<String, Object> totals = new LinkedHashMap<>();
			totals.put("name", job.name());
			totals.putAll(totals(job.totals()));
			return totals;
		}).toList());
		answer.put("marks", this.history.marks(from, to));
		return answer;
	}

	@Override
	public Map<String, ?> read(String job, OperationArguments arguments) {
		Instant to = arguments.earlier("to", Instant.now());
		Instant from = arguments.earlier("from", to.minus(USUAL));
		return period(from, to, this.history.minutes(job, from, to));
	}

	private static Map<String, Object> period(Instant from, Instant to, SortedMap<Instant, RunTotals> minutes) {
		Map<String, Object> answer = new LinkedHashMap<>();
		answer.put("from", from);
		answer.put("to", to);
		answer.put("totals", totals(minutes.values().stream().reduce(RunTotals.NONE, RunTotals::plus)));
		answer.put("minutes", minutes.entrySet().stream().map((minute) -> {
			Map<String, Object> totals = new LinkedHashMap<>();
			totals.put("at", minute.getKey());
			totals.putAll(totals(minute.getValue()));
			return totals;
		}).toList());
		return answer;
	}

	/**
	 * Return the runs of the last hour.
	 */
	Map<String, Object> lastHour() {
		Instant now = Instant.now();
		return totals(
				this.history.minutes(now.minus(USUAL), now).values().stream().reduce(RunTotals.NONE, RunTotals::plus));
	}

	private static Map<String, Object> totals(RunTotals totals) {
		Map<String, Object> view = new LinkedHashMap<>();
		view.put("runs", totals.runs());
		view.put("failed", totals.failed());
		view.put("dead", totals.dead());
		view.put("discarded", totals.discarded());
		view.put("meanRun", totals.meanRun());
		view.put("medianRun", totals.percentile(0.5));
		view.put("p95Run", totals.percentile(0.95));
		view.put("meanWait", totals.meanWait());
		return view;
	}

	@Override
	public Map<String, ?> change(String action, OperationArguments arguments) {
		if (!action.equals("mark")) {
			throw OperationRefusedException.badRequest("'action' must be 'mark', but is '%s'".formatted(action));
		}
		String label = arguments.required("label", "say what has happened, such as 'shop 1.4.2'");
		this.history.mark(label);
		return Map.of("message", "Marked: " + label);
	}

}
