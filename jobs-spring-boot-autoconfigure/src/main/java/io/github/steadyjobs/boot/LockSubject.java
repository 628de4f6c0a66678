package io.github.steadyjobs.boot;

import java.util.LinkedHashMap;
import java.util.Map;

import io.github.steadyjobs.admin.JobLocks;
import io.github.steadyjobs.admin.LockPage;
import io.github.steadyjobs.admin.LockRelease;

/**
 * The locks of a queue, listed page by page.
 */
final class LockSubject implements EndpointSubject {

	private static final int USUAL_SIZE = 50;

	private final JobLocks locks;

	private final QueueSubject queues;

	LockSubject(JobLocks locks, QueueSubject queues) {
		this.locks = locks;
		this.queues = queues;
	}

	@Override
	public Map<String, ?> read(String queue, OperationArguments arguments) {
		LockPage page = this.locks.page(queue, arguments.text("after", LockPage.START), arguments.size(USUAL_SIZE));
		if (page.locks().isEmpty()) {
			this.queues.find(queue);
		}
		Map<String, Object> answer = new LinkedHashMap<>();
		answer.put("locks", page.locks());
		if (page.hasNext()) {
			answer.put("next", page.next());
		}
		return answer;
	}

	@Override
	public Map<String, ?> change(String queue, String action, OperationArguments arguments) {
		if (!action.equals("release")) {
			throw OperationRefusedException.badRequest("'action' must be 'release', but is '%s'".formatted(action));
		}
		String digest = arguments.required("digest", "say what is locked, as 'locks/%s' shows it".formatted(queue));
		String holder = arguments.text("holder");
		LockRelease release = (holder != null) ? this.locks.release(queue, digest, holder)
				: this.locks.release(queue, digest);
		return switch (release) {
			case RELEASED -> Map.of("message", "The lock was released");
			case CHANGED -> throw OperationRefusedException.conflict(release.name(),
					"A job other than the given holder has the lock, and keeps it");
			case NOT_LOCKED ->
				throw OperationRefusedException.notFound("No job of queue '%s' has a lock %s".formatted(queue, digest));
		};
	}

}
