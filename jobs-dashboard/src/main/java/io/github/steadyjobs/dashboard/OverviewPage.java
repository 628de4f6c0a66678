package io.github.steadyjobs.dashboard;

import java.util.List;

import org.jspecify.annotations.Nullable;

/**
 * Shows current problems and current activity.
 */
final class OverviewPage extends Page {

	private static final int MOST_QUEUES = 12;

	private static final int MOST_PROCESSES = 8;

	private final Samples samples;

	private final Limits limits;

	OverviewPage(Samples samples, Limits limits) {
		super(Area.OVERVIEW);
		this.samples = samples;
		this.limits = limits;
	}

	@Override
	View view(Visit visit) {
		Snapshot snapshot = Snapshot.of(this.samples);
		Reading<Runs> lastHour = this.samples.runs(Period.HOUR);
		Reading<Runs> runs = this.samples.runs(visit.oneOf("period", Period.HOUR));
		Reading<Diagnosis> diagnosis = this.samples.diagnosis();
		List<Concern> concerns = Concerns.find(snapshot, this.limits, (diagnosis != null) ? diagnosis.value() : null,
				(lastHour != null) ? lastHour.value().total().dead() : 0);
		Overview model = new Overview(concerns, snapshot, (runs != null) ? Throughput.of(runs.value()) : null,
				QueueTable.of(snapshot, this.samples, this.limits, MOST_QUEUES), processes(snapshot));
		return new View("overview", Area.OVERVIEW.title(), model, snapshot.queues(), snapshot.processes(),
				snapshot.pauses());
	}

	private List<ProcessCard> processes(Snapshot snapshot) {
		return ProcessCard.of(snapshot, this.limits).stream().limit(MOST_PROCESSES).toList();
	}

	/**
	 * The data that the page shows.
	 *
	 * @param concerns the problems, the worst first
	 * @param snapshot queues, processes and pauses
	 * @param throughput the runs of the period, {@code null} if they cannot be read
	 * @param queues the busiest queues
	 * @param processes the first processes, by name
	 */
	record Overview(List<Concern> concerns, Snapshot snapshot, @Nullable Throughput throughput, QueueTable queues,
			List<ProcessCard> processes) {

	}

}
