package io.github.steadyjobs.dashboard;

/**
 * Shows all queues.
 */
final class QueuesPage extends Page {

	private final Samples samples;

	private final Limits limits;

	QueuesPage(Samples samples, Limits limits) {
		super(Area.QUEUES);
		this.samples = samples;
		this.limits = limits;
	}

	@Override
	View view(Visit visit) {
		Snapshot snapshot = Snapshot.of(this.samples);
		return new View("queues", Area.QUEUES.title(),
				QueueTable.of(snapshot, this.samples, this.limits, Integer.MAX_VALUE), snapshot.queues(),
				snapshot.pauses());
	}

}
