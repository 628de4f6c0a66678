package io.github.steadyjobs.dashboard;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;

import io.github.steadyjobs.audit.AuditReport;
import io.github.steadyjobs.audit.Violation;
import io.github.steadyjobs.audit.ViolationKind;
import io.github.steadyjobs.dashboard.AuditPage.Form;

/**
 * Runs an audit and shows its findings. The findings are not stored, so any process can
 * answer the request, and a repair has to examine everything again.
 */
final class AuditReportPage extends Page {

	static final String NAME = "audit-report";

	private static final int MOST_LISTED = 200;

	private static final Pattern ID = Pattern.compile("[0-9a-f]{24}");

	private final Samples samples;

	private final Audits audits;

	AuditReportPage(Samples samples, Audits audits) {
		super(NAME, Area.AUDIT, Role.OPERATE);
		this.samples = samples;
		this.audits = audits;
	}

	@Override
	View view(Visit visit) {
		String queue = visit.text("queue");
		if (queue != null) {
			QueuePage.find(Snapshot.of(this.samples), queue);
		}
		long begin = System.nanoTime();
		AuditReport report = this.audits.use((audit) -> (queue != null) ? audit.run(queue) : audit.run());
		Duration took = Duration.ofNanos(System.nanoTime() - begin);
		return new View("audit_report", Area.AUDIT.title(),
				new Report(Form.of(this.samples, queue), report, took, visit.viewer().seesValues()));
	}

	/**
	 * The data that the page shows.
	 *
	 * @param showsValues whether the viewer may see values, such as the content of a
	 * damaged key
	 */
	record Report(Form form, AuditReport report, Duration took, boolean showsValues) {

		List<Kind> kinds() {
			return this.report.counts()
				.entrySet()
				.stream()
				.sorted(Map.Entry.comparingByKey())
				.map((count) -> new Kind(count.getKey(), count.getValue()))
				.toList();
		}

		boolean canBeRepaired() {
			return this.report.counts().keySet().stream().anyMatch((kind) -> kind.remedy().isEmpty());
		}

		List<Violation> violations() {
			return this.report.violations().stream().limit(MOST_LISTED).toList();
		}

		long others() {
			return this.report.counts().values().stream().mapToLong(Long::longValue).sum() - violations().size();
		}

		/** Return whether a violation names a job and not, for example, a field. */
		boolean isOfAJob(Violation violation) {
			return ID.matcher(violation.id()).matches();
		}

		String found(Violation violation) {
			return this.showsValues ? Plain.line(violation.found()) : violation.found().isEmpty() ? "" : "******";
		}

		String repair() {
			return Address.of(RepairAction.NAME, "queue", this.form.queue());
		}

	}

	/** A rule, and how many times it is broken. */
	record Kind(ViolationKind kind, long count) {

		String title() {
			return Words.of("violation." + Visit.text(this.kind));
		}

		/** Return what to do about violations of this rule. */
		String remedy() {
			return this.kind.remedy().isEmpty() ? Words.of("audit.repaired") : this.kind.remedy();
		}

	}

}
