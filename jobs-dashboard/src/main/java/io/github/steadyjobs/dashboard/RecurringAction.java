package io.github.steadyjobs.dashboard;

import io.github.steadyjobs.EnqueueResult;
import io.github.steadyjobs.recurring.InvalidRecurringJobException;
import io.github.steadyjobs.recurring.RecurringJobs;
import io.github.steadyjobs.recurring.RecurringState;
import io.github.steadyjobs.recurring.RecurringState.Pause;

/**
 * Triggers, pauses, resumes or deletes a recurring job.
 */
final class RecurringAction extends Action {

	private final RecurringJobs jobs;

	private final Change change;

	RecurringAction(RecurringJobs jobs, Change change) {
		super(change.action, Area.RECURRING, (change == Change.DELETE) ? Role.ADMINISTER : Role.OPERATE);
		this.jobs = jobs;
		this.change = change;
	}

	static String address(String action, String name) {
		return Address.of(action, "name", name);
	}

	/** Return the refusal that a viewer sees. */
	static RefusedException refusal(InvalidRecurringJobException refused) {
		String text = Plain.line(refused.getMessage());
		return switch (refused.reason()) {
			case INVALID -> new RefusedException(Failure.BAD_REQUEST, text);
			case UNKNOWN -> new RefusedException(404, text).backTo(Area.RECURRING.address());
			case EXISTS, DECLARED -> RefusedException.conflict(text).backTo(Area.RECURRING.address());
		};
	}

	@Override
	Question question(Visit visit) {
		String name = OneRecurringPage.find(this.jobs, visit).job().name();
		Question question = new Question(name(), name(), Plain.line(name)).field(Field.hidden("name", name))
			.backTo(OneRecurringPage.address(name));
		return switch (this.change) {
			case PAUSE -> question.field(Field.text("why", Words.of("pause.why")));
			case DELETE -> question.cannotBeUndone();
			default -> question;
		};
	}

	@Override
	Redirect perform(Visit visit) {
		RecurringState before = OneRecurringPage.find(this.jobs, visit).state();
		try {
			return switch (this.change) {
				case TRIGGER -> trigger(before.name());
				case PAUSE -> pause(before, visit.viewer().name(), visit.required("why"));
				case RESUME -> resume(before);
				case DELETE -> {
					this.jobs.delete(before.name());
					yield Redirect.to(Notice.RECURRING_DELETED, Area.RECURRING.page());
				}
			};
		}
		catch (InvalidRecurringJobException ex) {
			throw refusal(ex);
		}
	}

	private Redirect trigger(String name) {
		EnqueueResult result = this.jobs.trigger(name);
		if (result instanceof EnqueueResult.Duplicate duplicate) {
			if (duplicate.runsOnceMore()) {
				return Redirect.to(Notice.RUNS_ONCE_MORE, OneJobPage.NAME, "id", duplicate.id());
			}
			throw RefusedException.conflict(Words.of("refused.overlap", duplicate.id()))
				.backTo(OneJobPage.address(duplicate.id()));
		}
		if (!result.accepted()) {
			throw RefusedException.conflict(Words.of("refused.stopped")).backTo(OneRecurringPage.address(name));
		}
		return Redirect.to(Notice.TRIGGERED, OneJobPage.NAME, "id", result.id());
	}

	private Redirect pause(RecurringState before, String who, String why) {
		Pause pause = this.jobs.pause(before.name(), who, why).pause();
		boolean isOurs = before.pause() == null && pause != null && pause.who().equals(who) && pause.why().equals(why);
		return to(isOurs ? Notice.PAUSED : Notice.ALREADY_PAUSED, before.name());
	}

	private Redirect resume(RecurringState before) {
		if (before.pause() == null) {
			return to(Notice.NOT_PAUSED, before.name());
		}
		this.jobs.resume(before.name());
		return to(Notice.RESUMED, before.name());
	}

	private static Redirect to(Notice notice, String name) {
		return Redirect.to(notice, OneRecurringPage.NAME, "name", name);
	}

	/** The changes that this action can make. */
	enum Change {

		TRIGGER("trigger"), PAUSE("pause-recurring"), RESUME("resume-recurring"), DELETE("delete-recurring");

		private final String action;

		Change(String action) {
			this.action = action;
		}

	}

}
