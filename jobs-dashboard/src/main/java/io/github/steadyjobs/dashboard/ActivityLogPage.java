package io.github.steadyjobs.dashboard;

import java.time.Instant;
import java.time.format.DateTimeParseException;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;

import io.github.steadyjobs.admin.ActivityPage;
import io.github.steadyjobs.admin.JobActivity;
import io.github.steadyjobs.admin.JobView;
import io.github.steadyjobs.admin.OperatorAction;
import org.jspecify.annotations.Nullable;

/**
 * Shows what operators have changed, newest first.
 */
final class ActivityLogPage extends Page {

	private static final int SIZE = 50;

	/** The parts of targets that are times. */
	private static final Set<String> TIMES = Set.of("due", "from", "until");

	private final JobActivity activity;

	private final JobView views;

	ActivityLogPage(JobActivity activity, JobView views) {
		super(Area.ACTIVITY);
		this.activity = activity;
		this.views = views;
	}

	@Override
	View view(Visit visit) {
		String after = visit.text("after");
		ActivityPage page = this.activity.page((after != null) ? after : "", SIZE);
		List<Row> rows = page.actions()
			.stream()
			.map((action) -> new Row(action, target(action, visit.viewer().seesValues())))
			.toList();
		Log model = new Log(rows, page.hasNext() ? Address.of(name(), "after", page.next()) : null);
		return (after != null) ? new View("activity", Area.ACTIVITY.title(), model)
				: new View("activity", Area.ACTIVITY.title(), model, Reading.now(model));
	}

	private Map<?, ?> target(OperatorAction action, boolean seesValues) {
		return (Map<?, ?>) Objects.requireNonNull(this.views.of(action, seesValues).get("target"));
	}

	/**
	 * The content of the page.
	 *
	 * @param next the address of the next page; {@code null} on the last page
	 */
	record Log(List<Row> rows, @Nullable String next) {

	}

	/**
	 * An action of an operator.
	 *
	 * @param target the parts of its target, by name, as the viewer may see them
	 */
	record Row(OperatorAction action, Map<?, ?> target) {

		String what() {
			return this.action.action().replace('-', ' ');
		}

		List<Part> parts() {
			return this.target.entrySet()
				.stream()
				.map((part) -> new Part(String.valueOf(part.getKey()), String.valueOf(part.getValue())))
				.toList();
		}

		/** Return whether the action was made in several steps at different times. */
		boolean isLong() {
			return !this.action.since().equals(this.action.at());
		}

	}

	/** A part of a target, such as the queue of a job. */
	record Part(String name, String value) {

		/** Return the address of the page about this part, empty if there is none. */
		String address() {
			return switch (this.name) {
				case "job" -> OneJobPage.address(this.value);
				case "queue", "to" -> QueuePage.address(this.value);
				case "recurring" -> OneRecurringPage.address(this.value);
				case "process" -> ProcessesPage.address(this.value);
				default -> "";
			};
		}

		/** Return this part as a time, {@code null} if it is something else or hidden. */
		@Nullable Instant time() {
			try {
				return TIMES.contains(this.name) ? Instant.parse(this.value) : null;
			}
			catch (DateTimeParseException ex) {
				return null;
			}
		}

	}

}
