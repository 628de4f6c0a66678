package io.github.steadyjobs.dashboard;

import java.util.Set;

import io.github.steadyjobs.admin.JobAdmin;
import io.github.steadyjobs.admin.JobChange;
import io.github.steadyjobs.admin.JobDetails;
import io.github.steadyjobs.admin.JobEntry;
import io.github.steadyjobs.admin.JobPlace;

/**
 * Changes a single job. The form contains the place where the viewer saw the job. If the
 * job has left that place, nothing is changed, and a message says so.
 */
abstract class OneJobAction extends Action {

	private final Set<JobPlace> places;

	private final JobAdmin admin;

	/**
	 * Create an action.
	 * @param places the places in which a job must be for this action
	 */
	OneJobAction(String name, Role role, Set<JobPlace> places, JobAdmin admin) {
		super(name, Area.JOBS, role);
		this.places = places;
		this.admin = admin;
	}

	JobAdmin admin() {
		return this.admin;
	}

	/** Add the parts of the question that are specific to this action. */
	abstract Question ask(Question question, JobDetails job, Visit visit);

	/** Change the job, and return the result. */
	abstract JobChange change(JobDetails job, Visit visit);

	/** Return the page that the viewer sees after the change. */
	Redirect done(JobEntry job) {
		return Redirect.to(Notice.JOB_CHANGED, OneJobPage.NAME, "id", job.id());
	}

	@Override
	Question question(Visit visit) {
		JobDetails details = OneJobPage.find(this.admin, visit);
		JobEntry job = details.job();
		checkPlace(job);
		String label = (job.payload() != null) ? job.payload().name() + " " + job.id() : job.id();
		return ask(new Question(name(), name(), Plain.line(label)).field(Field.hidden("id", job.id()))
			.field(Field.hidden("place", Visit.text(job.place())))
			.backTo(OneJobPage.address(job.id())), details, visit);
	}

	private void checkPlace(JobEntry job) {
		if (!this.places.contains(job.place())) {
			throw RefusedException.conflict(Words.of("refused.place", Words.of("place." + Visit.text(job.place()))))
				.backTo(OneJobPage.address(job.id()));
		}
	}

	@Override
	Redirect perform(Visit visit) {
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
