package io.github.steadyjobs.dashboard;

import io.github.steadyjobs.audit.AuditReport;
import io.github.steadyjobs.audit.RepairReport;

/**
 * Runs another audit and repairs the violations that it finds.
 */
final class RepairAction extends Action {

	static final String NAME = "repair";

	private final Samples samples;

	private final Audits audits;

	RepairAction(Samples samples, Audits audits) {
		super(NAME, Area.AUDIT, Role.ADMINISTER);
		this.samples = samples;
		this.audits = audits;
	}

	@Override
	Question question(Visit visit) {
		String queue = visit.text("queue");
		if (queue == null) {
			return new Question(NAME, "repair.all").cannotBeUndone().backTo(Area.AUDIT.address());
		}
		QueuePage.find(Snapshot.of(this.samples), queue);
		return new Question(NAME, "repair.queue", Plain.line(queue)).field(Field.hidden("queue", queue))
			.cannotBeUndone()
			.backTo(Area.AUDIT.address());
	}

	@Override
	Redirect perform(Visit visit) {
		String queue = visit.text("queue");
		if (queue != null) {
			QueuePage.find(Snapshot.of(this.samples), queue);
		}
		RepairReport report = this.audits.use((audit) -> {
			AuditReport found = (queue != null) ? audit.run(queue) : audit.run();
			return audit.repair(found);
		});
		return new Redirect(Address.of(AuditReportPage.NAME, "queue", queue), Notice.REPAIRED, report.repaired().size(),
				report.left().size());
	}

}
