package io.github.steadyjobs.boot;

import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

import io.github.steadyjobs.EnqueueResult;
import io.github.steadyjobs.recurring.InvalidRecurringJobException;
import io.github.steadyjobs.recurring.RecurringJob;
import io.github.steadyjobs.recurring.RecurringJobs;
import io.github.steadyjobs.recurring.RecurringState;
import io.github.steadyjobs.recurring.RecurringState.LastTick;
import io.github.steadyjobs.recurring.RecurringState.Pause;
import io.github.steadyjobs.recurring.Schedule;
import org.jspecify.annotations.Nullable;

/**
 * Recurring jobs, addressed by name.
 */
final class RecurringSubject implements EndpointSubject {

	private static final List<String> ACTIONS = List.of("create", "change", "delete", "pause", "resume", "trigger");

	/** The parameter that sets each attribute, by the name of the attribute. */
	private static final Map<String, String> ATTRIBUTES = Map.of("cron", "cron", "zone", "zone", "every", "every",
			"from", "from", "until", "until", "jitter", "jitter", "missed", "missed", "at-most", "atMost", "overlap",
			"overlap", "queue", "queue");

	private final RecurringJobs jobs;

	RecurringSubject(RecurringJobs jobs) {
		this.jobs = jobs;
	}

	@Override
	public Map<String, ?> read(OperationArguments arguments) {
		return Map.of("recurring", this.jobs.list().stream().map(RecurringSubject::view).toList());
	}

	@Override
	public Map<String, ?> read(String name, OperationArguments arguments) {
		return Map.of("recurring", this.jobs.find(name)
			.map(RecurringSubject::view)
			.orElseThrow(() -> OperationRefusedException.notFound("There is no recurring job '%s'".formatted(name))));
	}

	@Override
	public Map<String, ?> change(String name, String action, OperationArguments arguments) {
		try {
			return switch (action) {
				case "create" -> answer("It was created", this.jobs.create(job(name, arguments)));
				case "change" -> answer("It was changed", this.jobs.change(job(name, arguments)));
				case "delete" -> delete(name);
				case "pause" -> pause(name, arguments);
				case "resume" -> resume(name);
				case "trigger" -> trigger(name);
				default -> throw OperationRefusedException
					.badRequest("'action' must be one of %s, but is '%s'".formatted(ACTIONS, action));
			};
		}
		catch (InvalidRecurringJobException ex) {
			throw refusal(ex);
		}
	}

	private static OperationRefusedException refusal(InvalidRecurringJobException refused) {
		String message = String.valueOf(refused.getMessage());
		return switch (refused.reason()) {
			case INVALID -> OperationRefusedException.badRequest(message);
			case UNKNOWN -> OperationRefusedException.notFound(message);
			case EXISTS, DECLARED -> OperationRefusedException.conflict(refused.reason().name(), message);
		};
	}

	private RecurringJob job(String name, OperationArguments arguments) {
		String job = arguments.required("job", "say which job recurs, by its name");
		Map<String, String> attributes = new HashMap<>();
		ATTRIBUTES.forEach((attribute, parameter) -> {
			String value = arguments.text(parameter);
			if (value != null) {
				attributes.put(attribute, value);
			}
		});
		return this.jobs.read(name, job, attributes);
	}

	private Map<String, ?> delete(String name) {
		this.jobs.delete(name);
		return Map.of("message", "It was deleted. Jobs that it has enqueued stay");
	}

	private Map<String, ?> pause(String name, OperationArguments arguments) {
		String who = arguments.user();
		String why = arguments.required("why", "say why, for those who find this paused");
		RecurringState state = this.jobs.pause(name, who, why);
		Pause pause = state.pause();
		if (pause != null && !(pause.who().equals(who) && pause.why().equals(why))) {
			throw OperationRefusedException.conflict("ALREADY_PAUSED",
					"It is paused already: by %s, %s".formatted(pause.who(), pause.why()));
		}
		return answer("It is paused now", state);
	}

	private Map<String, ?> resume(String name) {
		if (this.jobs.find(name).filter((state) -> state.pause() == null).isPresent()) {
			throw OperationRefusedException.conflict("NOT_PAUSED", "It is not paused");
		}
		return answer("It continues with its next tick", this.jobs.resume(name));
	}

	private Map<String, ?> trigger(String name) {
		EnqueueResult result = this.jobs.trigger(name);
		if (result instanceof EnqueueResult.Duplicate duplicate) {
			if (duplicate.runsOnceMore()) {
				return Map.of("message", "A job runs once job %s has ended".formatted(duplicate.id()), "job",
						duplicate.id());
			}
			throw OperationRefusedException.conflict("OVERLAP",
					"Job %s has not ended, and the recurring job does not allow another one at the same time"
						.formatted(duplicate.id()));
		}
		if (!result.accepted()) {
			throw OperationRefusedException.conflict("STOPPED", "An interceptor has stopped the job");
		}
		return Map.of("message", "Job %s was enqueued".formatted(result.id()), "job", result.id());
	}

	private static Map<String, ?> answer(String message, RecurringState state) {
		Map<String, Object> answer = new LinkedHashMap<>();
		answer.put("message", message);
		answer.put("recurring", view(state));
		return answer;
	}

	private static Map<String, Object> view(RecurringState state) {
		RecurringJob job = state.job();
		Schedule schedule = job.schedule();
		Map<String, Object> view = new LinkedHashMap<>();
		view.put("name", job.name());
		view.put("job", job.job());
		view.put("queue", job.queue());
		view.put("origin", state.origin());
		view.put("status", state.status());
		putUnlessNull(view, "cron", schedule.cron());
		putUnlessNull(view, "zone", (schedule.cron() != null) ? schedule.zone().getId() : null);
		putUnlessNull(view, "every", schedule.every());
		putUnlessNull(view, "from", schedule.from());
		putUnlessNull(view, "until", schedule.until());
		putUnlessNull(view, "jitter", schedule.jitter().isZero() ? null : schedule.jitter());
		view.put("missed", job.missed());
		putUnlessNull(view, "atMost", (job.atMost() > 0) ? job.atMost() : null);
		view.put("overlap", job.overlap());
		putUnlessNull(view, "pause", state.pause());
		view.put("next", state.next());
		view.put("late", state.late());
		LastTick last = state.last();
		if (last != null) {
			view.put("last", last(last));
		}
		return view;
	}

	private static Map<String, Object> last(LastTick last) {
		Map<String, Object> view = new LinkedHashMap<>();
		view.put("due", last.due());
		view.put("lateness", last.lateness());
		view.put("decision", last.decision());
		putUnlessNull(view, "job", last.jobId());
		if (last.outcome() != null) {
			view.put("outcome", last.outcome());
			view.put("ran", last.ran());
		}
		return view;
	}

	private static void putUnlessNull(Map<String, Object> view, String name, @Nullable Object value) {
		if (value != null) {
			view.put(name, value);
		}
	}

}
