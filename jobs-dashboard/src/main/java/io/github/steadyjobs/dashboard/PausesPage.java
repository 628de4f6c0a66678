package io.github.steadyjobs.dashboard;

import java.util.Comparator;
import java.util.List;

import io.github.steadyjobs.admin.JobPause;
import io.github.steadyjobs.admin.JobPause.Kind;
import org.jspecify.annotations.Nullable;

/**
 * Shows all pauses: what is paused, by whom, why and until when.
 */
final class PausesPage extends Page {

	private final Samples samples;

	PausesPage(Samples samples) {
		super(Area.PAUSES);
		this.samples = samples;
	}

	/** Find the pause of a queue or of a job name, {@code null} if there is none. */
	static @Nullable JobPause find(Kind kind, String name, List<JobPause> pauses) {
		return pauses.stream()
			.filter((pause) -> pause.kind() == kind && pause.name().equals(name))
			.findAny()
			.orElse(null);
	}

	@Override
	View view(Visit visit) {
		Reading<List<JobPause>> pauses = this.samples.pauses();
		List<Row> rows = pauses.value()
			.stream()
			.sorted(Comparator.comparing(JobPause::since).thenComparing(JobPause::name))
			.map(Row::new)
			.toList();
		return new View("pauses", Area.PAUSES.title(), rows, pauses);
	}

	/** A pause in the table. */
	record Row(JobPause pause) {

		boolean isQueue() {
			return this.pause.kind() == Kind.QUEUE;
		}

		String resumeAddress() {
			return ResumeAction.address(this.pause);
		}

	}

}
