package io.github.steadyjobs.boot;

import java.util.LinkedHashMap;
import java.util.Map;

import io.github.steadyjobs.admin.ActivityPage;
import io.github.steadyjobs.admin.JobActivity;
import io.github.steadyjobs.admin.JobView;

/**
 * The changes that operators have made, listed page by page.
 */
final class ActivitySubject implements EndpointSubject {

	private static final int USUAL_SIZE = 50;

	private final JobActivity activity;

	private final JobView view;

	ActivitySubject(JobActivity activity, JobView view) {
		this.activity = activity;
		this.view = view;
	}

	@Override
	public Map<String, ?> read(OperationArguments arguments) {
		ActivityPage page = this.activity.page(arguments.text("after", ""), arguments.size(USUAL_SIZE));
		Map<String, Object> answer = new LinkedHashMap<>();
		answer.put("activity",
				page.actions().stream().map((action) -> this.view.of(action, arguments.showsValues())).toList());
		if (page.hasNext()) {
			answer.put("next", page.next());
		}
		return answer;
	}

}
