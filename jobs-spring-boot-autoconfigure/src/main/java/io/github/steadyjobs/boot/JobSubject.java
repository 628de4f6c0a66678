package io.github.steadyjobs.boot;

import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Objects;

import io.github.steadyjobs.admin.JobAction;
import io.github.steadyjobs.admin.JobAdmin;
import io.github.steadyjobs.admin.JobChange;
import io.github.steadyjobs.admin.JobChange.Outcome;
import io.github.steadyjobs.admin.JobLocks;
import io.github.steadyjobs.admin.JobView;
import io.github.steadyjobs.admin.LockRelease;

/**
 * Single jobs, which are addressed by id.
 */
final class JobSubject implements EndpointSubject {

	private static final List<String> ACTIONS = List.of("run-now", "retry", "kill", "delete", "cancel", "edit",
			"reschedule", "move", "release-lock");

	private final JobAdmin admin;

	private final JobLocks locks;

	private final JobView view;

	JobSubject(JobAdmin admin, JobLocks locks, JobView view) {
		this.admin = admin;
		this.locks = locks;
		this.view = view;
	}

	@Override
	public Map<String, ?> read(String id, OperationArguments arguments) {
		return this.admin.find(id).map((job) -> this.view.of(job, arguments.showsValues())).orElseThrow(() -> gone(id));
	}

	@Override
	public Map<String, ?> change(String id, String action, OperationArguments arguments) {
		return switch (action) {
			case "cancel" -> cancel(id, arguments);
			case "edit" -> answer(this.admin.edit(id, arguments.required("arguments",
					"say which arguments the job gets, as text: \"[42, \\\"final\\\"]\"")));
			case "reschedule" -> answer(this.admin.reschedule(id, due(arguments)));
			case "move" -> answer(this.admin.move(id, arguments.required("to", "say which queue the job goes to")));
			case "release-lock" -> release(id);
			case "run-now", "retry", "kill", "delete" ->
				answer(this.admin.change(arguments.oneOf(JobAction.class, "action", action), id));
			default -> throw OperationRefusedException
				.badRequest("'action' must be one of %s, but is '%s'".formatted(ACTIONS, action));
		};
	}

	private static Instant due(OperationArguments arguments) {
		arguments.required("due", "say when the job is due");
		return Objects.requireNonNull(arguments.later("due"));
	}

	private static Map<String, ?> answer(JobChange change) {
		if (change.outcome() == Outcome.GONE) {
			throw OperationRefusedException.notFound(change.message());
		}
		if (!change.isDone()) {
			throw OperationRefusedException.conflict(change.outcome().name(), change.message());
		}
		return Map.of("message", change.message());
	}

	private Map<String, ?> cancel(String id, OperationArguments arguments) {
		if (this.admin.cancel(id, arguments.flag("interrupt"))) {
			return Map.of("message",
					"Job %s was cancelled: it will not run, or not again if it is running now".formatted(id));
		}
		if (this.admin.find(id).isEmpty()) {
			throw gone(id);
		}
		throw OperationRefusedException.conflict(Outcome.REFUSED.name(), "Job %s is dead: delete it".formatted(id));
	}

	private Map<String, ?> release(String id) {
		LockRelease release = this.locks.releaseOfJob(id);
		return switch (release) {
			case RELEASED -> Map.of("message", "Job %s no longer has its lock".formatted(id));
			case CHANGED -> throw OperationRefusedException.conflict(release.name(),
					"Another job has the lock that job %s has had or waits for".formatted(id));
			case NOT_LOCKED -> throw OperationRefusedException.notFound("Job %s has no lock".formatted(id));
		};
	}

	private static OperationRefusedException gone(String id) {
		return OperationRefusedException.notFound("There is no job %s: it has ended or never existed".formatted(id));
	}

}
