package io.github.steadyjobs.dashboard;

import java.nio.charset.StandardCharsets;
import java.util.EnumSet;
import java.util.Set;

import io.github.steadyjobs.JobPayload;
import io.github.steadyjobs.admin.JobAdmin;
import io.github.steadyjobs.admin.JobChange;
import io.github.steadyjobs.admin.JobChange.Outcome;
import io.github.steadyjobs.admin.JobDetails;
import io.github.steadyjobs.admin.JobPlace;
import io.github.steadyjobs.admin.JobView;

/**
 * Changes the arguments of one job.
 */
final class EditAction extends OneJobAction {

	static final String NAME = "edit";

	static final Set<JobPlace> PLACES = EnumSet.complementOf(EnumSet.of(JobPlace.WORKING));

	private static final JobView OPEN = new JobView((key, value, showsValues) -> value);

	private final JobView views;

	EditAction(JobAdmin admin, JobView views) {
		super(NAME, Role.ADMINISTER, PLACES, admin);
		this.views = views;
	}

	@Override
	Question ask(Question question, JobDetails job, Visit visit) {
		JobPayload payload = job.job().payload();
		if (payload == null) {
			throw RefusedException.conflict(Words.of("refused.edit.unreadable"))
				.backTo(OneJobPage.address(job.job().id()));
		}
		Object stored = OPEN.of(job.job(), true).get("arguments");
		Object shown = this.views.of(job.job(), visit.viewer().seesValues()).get("arguments");
		// Hidden values would be overwritten by the asterisks shown in their place.
		if (!String.valueOf(stored).equals(String.valueOf(shown))) {
			throw RefusedException.forbidden("refused.edit.hidden").backTo(OneJobPage.address(job.job().id()));
		}
		String text = Json.complete(stored);
		if (text.length() > Visit.LONGEST_AREA) {
			throw RefusedException.conflict(Words.of("refused.edit.long", Format.number(Visit.LONGEST_AREA)))
				.backTo(OneJobPage.address(job.job().id()));
		}
		return question.field(Field.hidden("version", version(payload)))
			.field(Field.area("arguments", Words.of("edit.arguments")).value(text));
	}

	/** Return a text that is different for each version of the arguments. */
	private static String version(JobPayload payload) {
		return ContentHash.of(payload.arguments().toString().getBytes(StandardCharsets.UTF_8));
	}

	@Override
	JobChange change(JobDetails job, Visit visit) {
		JobPayload payload = job.job().payload();
		if (payload != null && !version(payload).equals(visit.required("version"))) {
			return new JobChange(Outcome.CHANGED, Words.of("refused.edited"));
		}
		String arguments = visit.text("arguments", Visit.LONGEST_AREA);
		return admin().edit(job.job().id(), (arguments != null) ? arguments : "");
	}

}
