package io.github.steadyjobs.boot;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

import io.github.steadyjobs.admin.BulkChange;
import io.github.steadyjobs.admin.JobAction;
import io.github.steadyjobs.admin.JobAdmin;
import io.github.steadyjobs.admin.JobEntry;
import io.github.steadyjobs.admin.JobPage;
import io.github.steadyjobs.admin.JobPlace;
import io.github.steadyjobs.admin.JobQuery;
import io.github.steadyjobs.admin.JobView;

/**
 * The jobs in one place, listed page by page.
 */
final class PlaceSubject implements EndpointSubject {

	/**
	 * This is lower than for other actions, because each job takes several round trips.
	 */
	private static final int MOVED_AT_ONCE = 100;

	/**
	 * Represents the first page in an answer, because an answer without a next page means
	 * that there are no more pages.
	 */
	private static final String START = "start";

	private static final List<String> FILTERS = List.of("queue", "name", "id", "tag", "error", "text");

	/** Actions that cannot be undone by another action. */
	private static final Set<String> FINAL = Set.of("delete", "kill", "move");

	private final JobPlace place;

	private final JobAdmin admin;

	private final QueueSubject queues;

	private final JobView view;

	PlaceSubject(JobPlace place, JobAdmin admin, QueueSubject queues, JobView view) {
		this.place = place;
		this.admin = admin;
		this.queues = queues;
		this.view = view;
	}

	@Override
	public Map<String, ?> read(OperationArguments arguments) {
		JobQuery query = query(arguments);
		JobPage page = this.admin.page(query.size(arguments.size(query.size())));
		checkQueue(query, page.examined());
		Map<String, Object> answer = new LinkedHashMap<>();
		answer.put("jobs", page.jobs().stream().map((job) -> this.view.of(job, arguments.showsValues())).toList());
		answer.put("examined", page.examined());
		if (page.hasNext()) {
			answer.put("next", page.next());
		}
		return answer;
	}

	@Override
	public Map<String, ?> change(String action, OperationArguments arguments) {
		checkScope(action, arguments);
		JobQuery query = query(arguments);
		BulkChange step = action.equals("move")
				? move(query, arguments.required("to", "say which queue the jobs go to"))
				: this.admin.change(arguments.oneOf(JobAction.class, "action", action), query);
		checkQueue(query, step.examined());
		Map<String, Object> answer = new LinkedHashMap<>();
		answer.put("done", step.done());
		answer.put("refused", step.refused());
		answer.put("examined", step.examined());
		if (step.hasNext()) {
			answer.put("next", step.next());
		}
		return answer;
	}

	/**
	 * Refuse requests that would change more jobs than intended. Spring Boot drops
	 * parameters with mistyped names before the endpoint is called.
	 */
	private static void checkScope(String action, OperationArguments arguments) {
		for (String filter : FILTERS) {
			if (arguments.isEmpty(filter)) {
				throw OperationRefusedException
					.badRequest("'%s' is empty: leave it out, or say which jobs".formatted(filter));
			}
		}
		boolean all = arguments.flag("all");
		if (FINAL.contains(action) && !all && FILTERS.stream().allMatch((filter) -> arguments.text(filter) == null)) {
			throw OperationRefusedException.badRequest(
					"Say which jobs with 'queue', 'name', 'id', 'tag', 'error' or 'text', or add \"all\": true to %s "
						.formatted(action) + "all that are here");
		}
	}

	private BulkChange move(JobQuery query, String queue) {
		JobPage page = this.admin.page(query.size(MOVED_AT_ONCE));
		int done = 0;
		for (JobEntry job : page.jobs()) {
			done += this.admin.move(job.id(), queue).isDone() ? 1 : 0;
		}
		boolean shifted = this.place == JobPlace.READY && done > 0 && page.hasNext();
		// In a list, later jobs have moved up to the positions of the jobs that were
		// removed.
		String again = query.after().isEmpty() ? START : query.after();
		return new BulkChange(done, page.jobs().size() - done, page.examined(), shifted ? again : page.next());
	}

	private JobQuery query(OperationArguments arguments) {
		if (arguments.text("text") != null && !arguments.showsValues()) {
			// If this were allowed, hidden values could be guessed letter by letter.
			throw OperationRefusedException.badRequest("'text' searches values that are not shown to you, see "
					+ "'management.endpoint.jobs.show-values'; 'queue', 'name', 'id', 'tag' and 'error' do not");
		}
		String after = arguments.text("after", START);
		return JobQuery.of(this.place)
			.queue(arguments.text("queue"))
			.name(arguments.text("name"))
			.id(arguments.text("id"))
			.tag(arguments.text("tag"))
			.error(arguments.text("error"))
			.text(arguments.text("text"))
			.after(after.equals(START) ? "" : after);
	}

	private void checkQueue(JobQuery query, int examined) {
		if (query.queue() != null && examined == 0) {
			this.queues.find(query.queue());
		}
	}

}
