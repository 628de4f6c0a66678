package io.github.steadyjobs.dashboard;

import java.time.Duration;
import java.time.Instant;
import java.util.Objects;
import java.util.stream.Stream;

import io.github.steadyjobs.admin.JobPauses;
import io.github.steadyjobs.admin.PauseResult;
import io.github.steadyjobs.dashboard.Field.Choice;
import org.jspecify.annotations.Nullable;

/**
 * Pauses a queue, or all jobs of a name.
 */
final class PauseAction extends Action {

	static final String NAME = "pause";

	private final JobPauses pauses;

	PauseAction(JobPauses pauses) {
		super(NAME, Area.PAUSES, Role.OPERATE);
		this.pauses = pauses;
	}

	@Override
	Question question(Visit visit) {
		String queue = visit.text("queue");
		Question question = (queue != null)
				? new Question(NAME, "pause.queue", Plain.line(queue)).field(Field.hidden("queue", queue))
					.backTo(QueuePage.address(queue))
				: new Question(NAME, "pause.job")
					.field(Field.text("job", Words.of("pause.job.name")).value(visit.text("job")))
					.backTo(Area.PAUSES.address());
		return question.field(Field.text("why", Words.of("pause.why")))
			.field(Field.choice("length", Words.of("pause.length"),
					Stream.of(Length.values())
						.map((length) -> new Choice(Visit.text(length), length.title()))
						.toList()));
	}

	@Override
	Redirect perform(Visit visit) {
		String queue = visit.text("queue");
		String who = visit.viewer().name();
		String why = visit.required("why");
		Instant until = visit.oneOf("length", Length.OPEN).until(Instant.now());
		PauseResult result = (queue != null) ? this.pauses.pauseQueue(queue, who, why, until)
				: this.pauses.pauseJob(visit.required("job"), who, why, until);
		Notice notice = switch (result.status()) {
			case UNKNOWN_QUEUE ->
				throw RefusedException.notFound("refused.queue", Plain.line(Objects.requireNonNull(queue)));
			case PAUSED -> Notice.PAUSED;
			default -> Notice.ALREADY_PAUSED;
		};
		return (queue != null) ? Redirect.to(notice, QueuePage.NAME, "name", queue)
				: Redirect.to(notice, Area.PAUSES.page());
	}

	/**
	 * The durations of a pause to choose from. Viewers choose no time of day, because
	 * their time zone is unknown.
	 */
	enum Length {

		OPEN(null), TEN_MINUTES(Duration.ofMinutes(10)), ONE_HOUR(Duration.ofHours(1)), FOUR_HOURS(Duration.ofHours(4)),
		ONE_DAY(Duration.ofDays(1)), ONE_WEEK(Duration.ofDays(7));

		private final @Nullable Duration duration;

		Length(@Nullable Duration duration) {
			this.duration = duration;
		}

		@Nullable Instant until(Instant now) {
			return (this.duration != null) ? now.plus(this.duration) : null;
		}

		String title() {
			return Words.of("pause.length." + Visit.text(this));
		}

	}

}
