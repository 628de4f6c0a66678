package io.github.steadyjobs.dashboard;

import java.util.List;

import io.github.steadyjobs.admin.QueueState;
import org.jspecify.annotations.Nullable;

/**
 * Explains what an audit does, and has a form that starts an audit.
 */
final class AuditPage extends Page {

	private final Samples samples;

	AuditPage(Samples samples) {
		super(Area.AUDIT);
		this.samples = samples;
	}

	@Override
	View view(Visit visit) {
		return new View("audit", Area.AUDIT.title(), Form.of(this.samples, null));
	}

	/**
	 * The content of the form.
	 *
	 * @param queues the names of all queues
	 * @param queue the queue that was examined, {@code null} for all queues
	 * @param jobs the approximate number of jobs
	 */
	record Form(List<String> queues, @Nullable String queue, long jobs) {

		static Form of(Samples samples, @Nullable String queue) {
			List<QueueState> states = samples.queues().value();
			return new Form(states.stream().map(QueueState::name).toList(), queue,
					states.stream()
						.mapToLong((state) -> state.ready() + state.scheduled() + state.retries() + state.dead())
						.sum());
		}

	}

}
