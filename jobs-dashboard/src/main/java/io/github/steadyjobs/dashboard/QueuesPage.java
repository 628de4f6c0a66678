package io.github.steadyjobs.dashboard;

/**
 * Shows all queues.
 */
final class QueuesPage implements Page {

	private final Samples samples;

	private final Limits limits;

	QueuesPage(Samples samples, Limits limits) {
		this.samples = samples;
		this.limits = limits;
	}

	@Override
	public String name() {
		return Area.QUEUES.page();
	}

	@Override
	public Area area() {
		return Area.QUEUES;
	}

	@Override
	public View view(Visit visit) {
		Snapshot snapshot = Snapshot.of(this.samples);
		return new View("queues", Area.QUEUES.title(),
				QueueTable.of(snapshot, this.samples, this.limits, Integer.MAX_VALUE), snapshot.queues(),
				snapshot.pauses());
	}

}
