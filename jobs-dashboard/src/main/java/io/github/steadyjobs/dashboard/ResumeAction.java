package io.github.steadyjobs.dashboard;

import io.github.steadyjobs.admin.JobPause;
import io.github.steadyjobs.admin.JobPause.Kind;
import io.github.steadyjobs.admin.JobPauses;
import org.jspecify.annotations.Nullable;

/**
 * Ends a pause, provided that it is the pause that the viewer has seen.
 */
final class ResumeAction extends Action {

	private static final String NAME = "resume";

	private final JobPauses pauses;

	ResumeAction(JobPauses pauses) {
		super(NAME, Area.PAUSES, Role.OPERATE);
		this.pauses = pauses;
	}

	static String address(JobPause pause) {
		return Address.of(NAME, "kind", Visit.text(pause.kind()), "name", pause.name());
	}

	@Override
	Question question(Visit visit) {
		JobPause pause = find(visit);
		if (pause == null) {
			throw RefusedException.notFound("refused.pause");
		}
		boolean isQueue = pause.kind() == Kind.QUEUE;
		return new Question(NAME, isQueue ? "resume.queue" : "resume.job", Plain.line(pause.name()),
				Plain.line(pause.who()), Plain.line(pause.why()))
			.field(Field.hidden("kind", Visit.text(pause.kind())))
			.field(Field.hidden("name", pause.name()))
			.field(Field.hidden("version", pause.version()))
			.backTo(isQueue ? QueuePage.address(pause.name()) : Area.PAUSES.address());
	}

	@Override
	Redirect perform(Visit visit) {
		JobPause pause = find(visit);
		Notice notice = Notice.NOT_PAUSED;
		if (pause != null) {
			notice = (pause.version() != visit.number("version", 0)) ? Notice.PAUSE_REPLACED
					: switch (this.pauses.resume(pause).status()) {
						case RESUMED -> Notice.RESUMED;
						case CHANGED -> Notice.PAUSE_REPLACED;
						default -> Notice.NOT_PAUSED;
					};
		}
		return (kind(visit) == Kind.QUEUE) ? Redirect.to(notice, QueuePage.NAME, "name", visit.required("name"))
				: Redirect.to(notice, Area.PAUSES.page());
	}

	/** Find the current pause in Redis, because the samples may be outdated. */
	private @Nullable JobPause find(Visit visit) {
		return PausesPage.find(kind(visit), visit.required("name"), this.pauses.list());
	}

	private static Kind kind(Visit visit) {
		return visit.oneOf("kind", Kind.class);
	}

}
