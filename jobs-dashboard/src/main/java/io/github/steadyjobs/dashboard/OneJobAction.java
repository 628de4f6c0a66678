package io.github.steadyjobs.dashboard;

import java.util.Set;

import io.github.steadyjobs.admin.JobAdmin;
import io.github.steadyjobs.admin.JobChange;
import io.github.steadyjobs.admin.JobDetails;
import io.github.steadyjobs.admin.JobEntry;
import io.github.steadyjobs.admin.JobPlace;

/**
 * Changes a single job. The form contains the place where the viewer saw the job. If the
 * job has moved since, nothing is changed and the viewer is told.
 */
abstract class OneJobAction implements Action {

	private final JobAdmin admin;

	OneJobAction(JobAdmin admin) {
		this.admin = admin;
	}

	JobAdmin admin() {
		return this.admin;
	}

	@Override
	public Area area() {
		return Area.JOBS;
	}

	/** Return where a job must be for this. */
	abstract Set<JobPlace> places();

	/** Add what is asked of this job. */
	abstract Question ask(Question question, JobDetails job, Visit visit);

	/** Change the job, and return what came of it. */
	abstract JobChange change(JobDetails job, Visit visit);

	/** Return where the viewer goes when it is done. */
	Redirect done(JobEntry job) {
		return Redirect.to(Notice.JOB_CHANGED, OneJobPage.NAME, "id", job.id());
	}

	@Override
	public Question question(Visit visit) {
		JobDetails details = OneJobPage.find(this.admin, visit);
		JobEntry job = details.job();
		checkPlace(job);
		String label = (job.payload() != null) ? job.payload().name() + " " + job.id() : job.id();
		return ask(new Question(name(), name(), Plain.line(label)).field(Field.hidden("id", job.id()))
			.field(Field.hidden("place", Visit.text(job.place())))
			.backTo(OneJobPage.address(job.id())), details, visit);
	}

	private void checkPlace(JobEntry job) {
		if (!places().contains(job.place())) {
			throw RefusedException.conflict(Words.of("refused.place", Words.of("place." + Visit.text(job.place()))))
				.backTo(OneJobPage.address(job.id()));
		}
	}

	@Override
	public Redirect perform(Visit visit) {
		JobDetails details = OneJobPage.find(this.admin, visit);
		JobEntry job = details.job();
		JobPlace seen = visit.oneOf("place", JobPlace.class);
		String address = OneJobPage.address(job.id());
		if (job.place() != seen) {
			throw RefusedException.conflict(Words.of("refused.moved", Words.of("place." + Visit.text(seen)),
					Words.of("place." + Visit.text(job.place()))))
				.backTo(address);
		}
		checkPlace(job);
		JobChange change = change(details, visit);
		return switch (change.outcome()) {
			case DONE -> done(job);
			case GONE -> throw RefusedException.notFound("refused.job", Plain.line(job.id()));
			default -> throw RefusedException.conflict(change.message()).backTo(address);
		};
	}

}
