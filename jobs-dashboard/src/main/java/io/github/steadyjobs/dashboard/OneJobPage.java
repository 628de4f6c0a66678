package io.github.steadyjobs.dashboard;

import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;

import io.github.steadyjobs.InvalidJobException;
import io.github.steadyjobs.JobPayload;
import io.github.steadyjobs.admin.JobAction;
import io.github.steadyjobs.admin.JobAdmin;
import io.github.steadyjobs.admin.JobDetails;
import io.github.steadyjobs.admin.JobEntry;
import io.github.steadyjobs.admin.JobLock;
import io.github.steadyjobs.admin.JobLocks;
import io.github.steadyjobs.admin.JobPlace;
import io.github.steadyjobs.admin.JobView;
import org.jspecify.annotations.Nullable;

/**
 * Shows a single job: its place, why it is not running and what to do about this, its
 * failures, and its stored form.
 */
final class OneJobPage extends Page {

	static final String NAME = "job";

	private final JobAdmin admin;

	private final JobLocks locks;

	private final JobView views;

	OneJobPage(JobAdmin admin, JobLocks locks, JobView views) {
		super(NAME, Area.JOBS);
		this.admin = admin;
		this.locks = locks;
		this.views = views;
	}

	static String address(String id) {
		return Address.of(NAME, "id", id);
	}

	/**
	 * Find the job that a request is about.
	 * @throws RefusedException if there is no job with the requested id
	 */
	static JobDetails find(JobAdmin admin, Visit visit) {
		String id = visit.required("id");
		return admin.find(id).orElseThrow(() -> RefusedException.notFound("refused.job", Plain.line(id)));
	}

	@Override
	View view(Visit visit) {
		String id = visit.required("id");
		JobDetails details = this.admin.find(id).orElse(null);
		if (details == null && !visit.isLive()) {
			throw RefusedException.notFound("refused.job", Plain.line(id));
		}
		Reading<String> reading = Reading.now(id);
		if (details == null) {
			return new View("job_gone", Plain.line(id), id, reading);
		}
		JobEntry job = details.job();
		JobRow row = new JobRow(job, this.views.of(details, visit.viewer().seesValues()));
		JobLock lock = this.locks.ofJob(job.queue(), id).orElse(null);
		OneJob model = new OneJob(details, row, lock, stored(job.payload(), visit.viewer().seesValues()),
				visit.viewer());
		return new View("job", row.name(), model, reading);
	}

	private @Nullable String stored(@Nullable JobPayload payload, boolean showsValues) {
		try {
			return (payload != null) ? Json.block(this.views.stored(payload, showsValues)) : null;
		}
		catch (InvalidJobException ex) {
			// The job as a whole can be read, but not its arguments.
			return null;
		}
	}

	/**
	 * The data that the page shows.
	 *
	 * @param details the job
	 * @param row the job as a list shows it
	 * @param lock the lock that the job holds or awaits, {@code null} if there is none
	 * @param stored the stored payload as text, {@code null} if it cannot be read
	 */
	record OneJob(JobDetails details, JobRow row, @Nullable JobLock lock, @Nullable String stored, Viewer viewer) {

		JobEntry job() {
			return this.details.job();
		}

		String place() {
			return Visit.text(job().place());
		}

		/** Return why the job is where it is, without the time and link that follow. */
		String reason() {
			String note = job().note();
			return Words.of("reason." + Visit.text(this.details.reason()),
					Plain.line(note.substring(note.indexOf(':') + 1)));
		}

		String advice() {
			return Words.of("reason." + Visit.text(this.details.reason()) + ".advice");
		}

		@Nullable Link link() {
			return switch (this.details.reason()) {
				case WAITS_ITS_TURN, NOT_SERVED, QUEUE_PAUSED -> queue();
				case EQUAL_JOB_RUNS -> this.details.blocker().isEmpty() ? null
						: new Link("", this.details.blocker(), "", address(this.details.blocker()));
				case RUNS -> process();
				default -> null;
			};
		}

		Link queue() {
			return new Link("", Plain.line(job().queue()), "", QueuePage.address(job().queue()));
		}

		/** Return the process that has the job, {@code null} if no process has it. */
		@Nullable Link process() {
			String name = this.details.process();
			return name.isEmpty() ? null : new Link("", Plain.line(name), "", ProcessesPage.address(name));
		}

		/**
		 * Return the address of the form that requests the stack of the run; {@code null}
		 * if the job is not running.
		 */
		@Nullable String stack() {
			return (this.details.run() != null) ? RunningPage.stack(this.details.process(), this.details.run()) : null;
		}

		Map<String, Object> view() {
			return this.row.view();
		}

		String text(String name) {
			return Plain.block(String.valueOf(view().getOrDefault(name, "")));
		}

		@Nullable Instant time(String name) {
			return (view().get(name) instanceof Instant time) ? time : null;
		}

		/** Return a property as JSON, empty if the job does not have the property. */
		String json(String name) {
			return view().containsKey(name) ? Json.line(view().get(name)) : "";
		}

		boolean hasFailed() {
			return view().containsKey("errorClass") || view().containsKey("errorMessage");
		}

		/**
		 * Return the address of the list of jobs in the same place with the same
		 * exception class; {@code null} if there is no such list.
		 */
		@Nullable String alike() {
			String errorClass = this.row.errorClass();
			// Another program may have stored a long text or invisible characters. A
			// filter with the text as it is shown would then find nothing.
			boolean isName = !errorClass.isBlank() && errorClass.equals(view().get("errorClass"));
			return (isName && JobFilter.FAILED.contains(job().place()))
					? Address.of(Area.JOBS.page(), "place", place(), JobFilter.ERROR, errorClass) : null;
		}

		/** Return the most recent failures of the job, the latest first. */
		List<FailedRun> failures() {
			return FailedRun.of(view());
		}

		/** Return the stored lines of the stack trace, empty if no lines are stored. */
		String backtrace() {
			Object lines = view().get("backtrace");
			if (lines instanceof List<?> list) {
				return Plain.block(String.join("\n", list.stream().map(String::valueOf).toList()));
			}
			return (lines != null) ? Plain.block(String.valueOf(lines)) : "";
		}

		/** Return the actions that the viewer may take. */
		List<Button> buttons() {
			List<Button> buttons = new ArrayList<>();
			for (JobAction action : new JobAction[] { JobAction.RUN_NOW, JobAction.RETRY }) {
				add(buttons, Visit.text(action), action.places(), ChangeAction.role(action), false);
			}
			add(buttons, CancelAction.NAME, CancelAction.PLACES, Role.ADMINISTER, true);
			add(buttons, RescheduleAction.NAME, EditAction.PLACES, Role.OPERATE, false);
			add(buttons, EditAction.NAME, EditAction.PLACES, Role.ADMINISTER, false);
			add(buttons, MoveAction.NAME, MoveAction.PLACES, Role.OPERATE, false);
			for (JobAction action : new JobAction[] { JobAction.KILL, JobAction.DELETE }) {
				add(buttons, Visit.text(action), action.places(), ChangeAction.role(action), true);
			}
			return buttons;
		}

		private void add(List<Button> buttons, String action, Set<JobPlace> places, Role role, boolean isDanger) {
			if (places.contains(job().place()) && this.viewer.may(role)) {
				buttons.add(new Button(Address.of(action, "id", job().id()), Words.of("job.action." + action),
						isDanger ? "danger-quiet" : ""));
			}
		}

	}

	/** A link to the page of an action. */
	record Button(String address, String title, String css) {

	}

}
