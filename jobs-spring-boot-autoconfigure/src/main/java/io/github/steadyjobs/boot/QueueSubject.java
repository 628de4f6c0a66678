package io.github.steadyjobs.boot;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

import io.github.steadyjobs.admin.JobAdmin;
import io.github.steadyjobs.admin.JobPlace;
import io.github.steadyjobs.admin.QueueState;

/**
 * The queues, and actions on whole queues.
 */
final class QueueSubject implements EndpointSubject {

	private final JobAdmin admin;

	private final PauseSubject pauses;

	QueueSubject(JobAdmin admin, PauseSubject pauses) {
		this.admin = admin;
		this.pauses = pauses;
	}

	@Override
	public Map<String, ?> read(OperationArguments arguments) {
		return Map.of("queues", this.admin.queues());
	}

	@Override
	public Map<String, ?> read(String queue, OperationArguments arguments) {
		Map<String, Object> answer = new LinkedHashMap<>();
		answer.put("queue", find(queue));
		answer.put("pauses", this.pauses.ofQueue(queue));
		return answer;
	}

	/**
	 * Find a queue.
	 * @throws OperationRefusedException if there is no queue with that name
	 */
	QueueState find(String queue) {
		List<QueueState> queues = this.admin.queues();
		return queues.stream()
			.filter((found) -> found.name().equals(queue))
			.findFirst()
			.orElseThrow(() -> OperationRefusedException.notFound("No queue is called '%s'. There are: %s"
				.formatted(queue, String.join(", ", queues.stream().map(QueueState::name).toList()))));
	}

	@Override
	public Map<String, ?> change(String queue, String action, OperationArguments arguments) {
		return switch (action) {
			case "pause" -> this.pauses.pauseQueue(queue, arguments);
			case "resume" -> this.pauses.resumeQueue(queue);
			case "purge" -> purge(queue, arguments);
			default -> throw OperationRefusedException
				.badRequest("'action' must be one of [pause, resume, purge], but is '%s'".formatted(action));
		};
	}

	private Map<String, ?> purge(String queue, OperationArguments arguments) {
		JobPlace place = arguments.oneOf(JobPlace.class, "place",
				arguments.required("place", "say which jobs of the queue to delete, such as 'dead'"));
		find(queue);
		return Map.of("deleted", this.admin.purge(queue, place));
	}

}
