package io.github.steadyjobs.boot;

import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;

import io.github.steadyjobs.admin.JobPause;
import io.github.steadyjobs.admin.JobPauses;
import io.github.steadyjobs.admin.PauseResult;
import org.jspecify.annotations.Nullable;

/** All pauses. Queues, and all jobs with a given name, can be paused here. */
final class PauseSubject implements EndpointSubject {

	private final JobPauses pauses;

	PauseSubject(JobPauses pauses) {
		this.pauses = pauses;
	}

	@Override
	public Map<String, ?> read(OperationArguments arguments) {
		return Map.of("pauses", this.pauses.list());
	}

	@Override
	public Map<String, ?> change(String job, String action, OperationArguments arguments) {
		return switch (action) {
			case "pause" -> answer(this.pauses.pauseJob(job, arguments.user(), why(arguments), until(arguments)));
			case "resume" -> answer(this.pauses.resumeJob(job));
			default -> throw OperationRefusedException
				.badRequest("'action' must be one of [pause, resume], but is '%s'".formatted(action));
		};
	}

	Map<String, ?> pauseQueue(String queue, OperationArguments arguments) {
		return answer(this.pauses.pauseQueue(queue, arguments.user(), why(arguments), until(arguments)));
	}

	Map<String, ?> resumeQueue(String queue) {
		return answer(this.pauses.resumeQueue(queue));
	}

	List<JobPause> ofQueue(String queue) {
		return this.pauses.list()
			.stream()
			.filter((pause) -> pause.kind() == JobPause.Kind.QUEUE && pause.name().equals(queue))
			.toList();
	}

	private static String why(OperationArguments arguments) {
		return arguments.required("why", "say why, for those who find this paused");
	}

	private static @Nullable Instant until(OperationArguments arguments) {
		return arguments.later("until");
	}

	private static Map<String, ?> answer(PauseResult result) {
		JobPause pause = result.pause();
		return switch (result.status()) {
			case PAUSED, RESUMED -> {
				Map<String, Object> answer = new LinkedHashMap<>();
				answer.put("message",
						(result.status() == PauseResult.Status.PAUSED) ? "It is paused now" : "It goes on");
				answer.put("pause", Objects.requireNonNull(pause));
				yield answer;
			}
			case ALREADY_PAUSED, CHANGED ->
				throw OperationRefusedException.conflict(result.status().name(), "It is paused already: %s"
					.formatted((pause != null) ? "by " + pause.who() + ", " + pause.why() : ""));
			case NOT_PAUSED -> throw OperationRefusedException.conflict(result.status().name(), "It is not paused");
			case UNKNOWN_QUEUE -> throw OperationRefusedException
				.notFound("No queue is called so: it has had no jobs for an hour, or never, and no process serves it");
		};
	}

}
