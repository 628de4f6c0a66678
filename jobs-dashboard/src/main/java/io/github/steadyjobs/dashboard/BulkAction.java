package io.github.steadyjobs.dashboard;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

import io.github.steadyjobs.admin.BulkChange;
import io.github.steadyjobs.admin.JobAction;
import io.github.steadyjobs.admin.JobAdmin;
import io.github.steadyjobs.admin.JobCount;
import io.github.steadyjobs.admin.JobQuery;
import io.github.steadyjobs.dashboard.Question.Fact;

/**
 * Changes all jobs that match a filter, in bounded steps. Each request makes steps for
 * about a quarter of a second. Then a page shows the progress, with a form for the next
 * request. That form contains the whole state, so any process can continue, and the
 * action stops if the viewer leaves the page.
 */
final class BulkAction extends Action {

	private static final long LONGEST_NANOS = Duration.ofMillis(250).toNanos();

	private final Samples samples;

	private final JobAdmin admin;

	private final JobAction action;

	BulkAction(Samples samples, JobAdmin admin, JobAction action) {
		super(name(action), Area.JOBS, ChangeAction.role(action));
		this.samples = samples;
		this.admin = admin;
		this.action = action;
	}

	/** Return the name of the page on which an action is taken on all matching jobs. */
	static String name(JobAction action) {
		return Visit.text(action) + "-all";
	}

	@Override
	View view(Visit visit) {
		if (visit.text("after") == null || Boolean.FALSE.equals(visit.isFromOwnPage())) {
			return view(question(visit));
		}
		Progress progress = Progress.of(visit, name(), filter(visit));
		return new View("progress", Words.of(name() + ".progress"), progress);
	}

	@Override
	Question question(Visit visit) {
		JobFilter filter = filter(visit);
		JobCount count = this.admin.count(filter.query());
		List<Fact> facts = new ArrayList<>(filter.facts());
		facts.add(new Fact(Words.of("bulk.count"),
				Words.of(count.isExact() ? "bulk.count.exact" : "bulk.count.at-least", count.jobs())));
		Question question = new Question(name(), name(), count.jobs(), count.isExact() ? 1 : 0).facts(facts)
			.fields(filter.fields())
			.field(Field.hidden("total", filter.total(this.samples.queues().value())))
			.backTo(filter.address(Area.JOBS.page()));
		return ChangeAction.isFinal(this.action) ? question.cannotBeUndone() : question;
	}

	private JobFilter filter(Visit visit) {
		JobFilter filter = JobFilter.of(visit);
		if (!this.action.places().contains(filter.place())) {
			throw RefusedException.badRequest("refused.bulk", Words.of("place." + Visit.text(filter.place())));
		}
		return filter;
	}

	@Override
	Redirect perform(Visit visit) {
		JobFilter filter = filter(visit);
		Progress progress = Progress.of(visit, name(), filter);
		JobQuery query = filter.query().after(progress.after());
		long begin = System.nanoTime();
		BulkChange step = this.admin.change(this.action, query);
		progress = progress.plus(step);
		while (step.hasNext() && System.nanoTime() - begin < LONGEST_NANOS) {
			step = this.admin.change(this.action, query.after(step.next()));
			progress = progress.plus(step);
		}
		return progress.isOver() ? progress.end() : progress.next();
	}

}
