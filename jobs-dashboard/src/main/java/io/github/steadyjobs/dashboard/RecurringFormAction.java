package io.github.steadyjobs.dashboard;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

import io.github.steadyjobs.Recurring.Missed;
import io.github.steadyjobs.Recurring.Overlap;
import io.github.steadyjobs.dashboard.Field.Choice;
import io.github.steadyjobs.recurring.InvalidRecurringJobException;
import io.github.steadyjobs.recurring.RecurringJob;
import io.github.steadyjobs.recurring.RecurringJobs;
import io.github.steadyjobs.recurring.Schedule;
import org.jspecify.annotations.Nullable;

/**
 * Creates a recurring job, or changes a recurring job that is not declared in code.
 */
final class RecurringFormAction extends Action {

	static final String CREATE = "create-recurring";

	static final String CHANGE = "change-recurring";

	/** The attributes of {@code @Recurring} that have a field in the form. */
	private static final List<String> ATTRIBUTES = List.of("queue", "cron", "zone", "every", "from", "until", "jitter",
			"missed", "at-most", "overlap");

	private final RecurringJobs jobs;

	private final boolean isNew;

	RecurringFormAction(RecurringJobs jobs, boolean isNew) {
		super(isNew ? CREATE : CHANGE, Area.RECURRING, Role.ADMINISTER);
		this.jobs = jobs;
		this.isNew = isNew;
	}

	@Override
	Question question(Visit visit) {
		RecurringJob job = this.isNew ? null : OneRecurringPage.find(this.jobs, visit).job();
		Question question = (job == null)
				? new Question(CREATE, CREATE).field(Field.text("name", Words.of("recurring.name")))
					.backTo(Area.RECURRING.address())
				: new Question(CHANGE, CHANGE, Plain.line(job.name())).field(Field.hidden("name", job.name()))
					.field(Field.hidden("version", version(job)))
					.backTo(OneRecurringPage.address(job.name()));
		List<String> known = this.jobs.list().stream().map((state) -> state.job().job()).distinct().toList();
		question.field(Field.text("job", Words.of("recurring.form.job"))
			.proposing(known)
			.value((job != null) ? job.job() : ""));
		Map<String, String> values = (job != null) ? values(job) : Map.of();
		for (String attribute : ATTRIBUTES) {
			question.field(field(attribute).optional().value(values.getOrDefault(attribute, "")));
		}
		return question;
	}

	private static Field field(String attribute) {
		String label = Words.of("recurring.form." + attribute);
		return switch (attribute) {
			case "missed" -> Field.choice(attribute, label, choices("missed.", Missed.values(), Missed.RUN_ONCE));
			case "overlap" -> Field.choice(attribute, label, choices("overlap.", Overlap.values(), Overlap.SKIP));
			default -> Field.text(attribute, label);
		};
	}

	private static <E extends Enum<E>> List<Choice> choices(String key, E[] constants, E first) {
		return Arrays.stream(constants)
			.sorted((one, other) -> Boolean.compare(other == first, one == first))
			.map((constant) -> new Choice(Visit.text(constant), Words.of(key + Visit.text(constant), 0)))
			.toList();
	}

	/** Return the attributes of a recurring job as texts. */
	private static Map<String, String> values(RecurringJob job) {
		Schedule schedule = job.schedule();
		Map<String, String> values = new HashMap<>();
		values.put("queue", job.queue());
		values.put("cron", text(schedule.cron()));
		values.put("zone", (schedule.cron() != null) ? schedule.zone().getId() : "");
		values.put("every", text(schedule.every()));
		values.put("from", text(schedule.from()));
		values.put("until", text(schedule.until()));
		values.put("jitter", schedule.jitter().isZero() ? "" : schedule.jitter().toString());
		values.put("missed", Visit.text(job.missed()));
		values.put("at-most", (job.atMost() > 0) ? String.valueOf(job.atMost()) : "");
		values.put("overlap", Visit.text(job.overlap()));
		return values;
	}

	private static String text(@Nullable Object value) {
		return (value != null) ? value.toString() : "";
	}

	private static String version(RecurringJob job) {
		return ContentHash.of(job.toString().getBytes(StandardCharsets.UTF_8));
	}

	@Override
	Redirect perform(Visit visit) {
		if (!this.isNew && !version(OneRecurringPage.find(this.jobs, visit).job()).equals(visit.required("version"))) {
			throw RefusedException.conflict(Words.of("refused.recurring.changed"))
				.backTo(OneRecurringPage.address(visit.required("name")));
		}
		Map<String, String> attributes = new HashMap<>();
		for (String attribute : ATTRIBUTES) {
			String value = visit.text(attribute);
			if (value != null) {
				attributes.put(attribute, value.strip());
			}
		}
		try {
			RecurringJob job = this.jobs.read(visit.required("name").strip(), visit.required("job").strip(),
					attributes);
			String name = (this.isNew ? this.jobs.create(job) : this.jobs.change(job)).name();
			return Redirect.to(this.isNew ? Notice.RECURRING_CREATED : Notice.RECURRING_CHANGED, OneRecurringPage.NAME,
					"name", name);
		}
		catch (InvalidRecurringJobException ex) {
			throw RecurringAction.refusal(ex);
		}
	}

}
