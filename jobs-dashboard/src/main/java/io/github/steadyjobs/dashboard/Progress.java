package io.github.steadyjobs.dashboard;

import java.util.ArrayList;
import java.util.List;

import io.github.steadyjobs.admin.BulkChange;

/**
 * The progress of a change to many jobs.
 *
 * @param action the name of the change
 * @param filter the filter that selects the jobs
 * @param after where the next step begins, empty at the beginning and at the end
 * @param done the number of jobs that were changed
 * @param refused the number of jobs that matched but could not be changed
 * @param examined the number of jobs that were examined
 * @param total the approximate number of jobs that have to be examined
 * @param proceeds whether the page that shows the progress begins the next step by
 * itself, which it must not do if it may have been opened from elsewhere
 */
record Progress(String action, JobFilter filter, String after, long done, long refused, long examined, long total,
		boolean proceeds) {

	static Progress of(Visit visit, String action, JobFilter filter) {
		String after = visit.text("after");
		return new Progress(action, filter, (after != null) ? after : "", visit.number("done", 0),
				visit.number("refused", 0), visit.number("examined", 0), visit.number("total", 0),
				Boolean.TRUE.equals(visit.isFromOwnPage()));
	}

	Progress plus(BulkChange step) {
		return new Progress(this.action, this.filter, step.next(), this.done + step.done(),
				this.refused + step.refused(), this.examined + step.examined(), this.total, this.proceeds);
	}

	boolean isOver() {
		return this.after.isEmpty();
	}

	int percent() {
		return (this.total > 0) ? (int) Math.min(99, 100 * this.examined / this.total) : 0;
	}

	/** Return the hidden fields of the form that continues the change. */
	List<Field> fields() {
		List<Field> fields = new ArrayList<>(this.filter.fields());
		fields.add(Field.hidden("after", this.after));
		fields.add(Field.hidden("done", this.done));
		fields.add(Field.hidden("refused", this.refused));
		fields.add(Field.hidden("examined", this.examined));
		fields.add(Field.hidden("total", this.total));
		return fields;
	}

	/** Return the page that shows the progress. */
	Redirect next() {
		return new Redirect(this.filter.address(this.action, "after", this.after, "done", this.done, "refused",
				this.refused, "examined", this.examined, "total", this.total), null, 0, 0);
	}

	/** Return the page that shows the result. */
	Redirect end() {
		return new Redirect(this.filter.address(Area.JOBS.page()), Notice.JOBS_CHANGED, this.done, this.refused);
	}

	/** Return the address that a viewer who stops the change goes to. */
	String stop() {
		return new Redirect(this.filter.address(Area.JOBS.page()), Notice.JOBS_STOPPED, this.done, this.refused)
			.location();
	}

}
