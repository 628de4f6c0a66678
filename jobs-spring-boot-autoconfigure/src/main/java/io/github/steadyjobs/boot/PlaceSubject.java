package io.github.steadyjobs.boot;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

import io.github.steadyjobs.admin.BulkChange;
import io.github.steadyjobs.admin.JobAction;
import io.github.steadyjobs.admin.JobAdmin;
import io.github.steadyjobs.admin.JobPage;
import io.github.steadyjobs.admin.JobPlace;
import io.github.steadyjobs.admin.JobQuery;
import io.github.steadyjobs.admin.JobView;

/**
 * The jobs in one place, listed page by page.
 */
final class PlaceSubject implements EndpointSubject {

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
				? this.admin.move(query, arguments.required("to", "say which queue the jobs go to"))
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
	 * Refuse requests that would change more jobs than intended: a filter must not be
	 * empty, and a final action needs a filter or {@code all}. A filter may be missing
	 * because its name was mistyped: Spring Boot drops parameters that it does not know.
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

	private JobQuery query(OperationArguments arguments) {
		if (arguments.text("text") != null && !arguments.showsValues()) {
			// If this were allowed, hidden values could be guessed letter by letter.
			throw OperationRefusedException.badRequest("'text' searches values that are not shown to you, see "
					+ "'management.endpoint.jobs.show-values'; 'queue', 'name', 'id', 'tag' and 'error' do not");
		}
		return JobQuery.of(this.place)
			.queue(arguments.text("queue"))
			.name(arguments.text("name"))
			.id(arguments.text("id"))
			.tag(arguments.text("tag"))
			.error(arguments.text("error"))
			.text(arguments.text("text"))
			.after(arguments.text("after", ""));
	}

	private void checkQueue(JobQuery query, int examined) {
		if (query.queue() != null && examined == 0) {
			this.queues.find(query.queue());
		}
	}

}
