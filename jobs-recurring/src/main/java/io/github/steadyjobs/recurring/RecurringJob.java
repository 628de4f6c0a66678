package io.github.steadyjobs.recurring;

import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.ZoneId;
import java.util.Arrays;
import java.util.Locale;
import java.util.Map;
import java.util.function.Function;

import io.github.steadyjobs.Idempotence;
import io.github.steadyjobs.Idempotent.Strategy;
import io.github.steadyjobs.JobRequest;
import io.github.steadyjobs.Names;
import io.github.steadyjobs.Recurring.Missed;
import io.github.steadyjobs.Recurring.Overlap;
import io.github.steadyjobs.definition.JobDefinition;
import io.github.steadyjobs.definition.JobOption;
import io.github.steadyjobs.recurring.InvalidRecurringJobException.Reason;
import org.jspecify.annotations.Nullable;

import org.springframework.util.Assert;

/**
 * A job that is enqueued repeatedly, by a schedule. Immutable.
 *
 * @param name the name of this recurrence
 * @param job the name of the job, which takes no arguments
 * @param queue the queue for the ticks and jobs of this recurrence
 * @param schedule the times at which the job runs
 * @param missed the policy for missed ticks
 * @param atMost the maximum number of missed ticks for which {@link Missed#RUN_ALL} makes
 * up; zero for other policies
 * @param overlap the policy for ticks that become due while the job of an earlier tick
 * has not ended
 */
public record RecurringJob(String name, String job, String queue, Schedule schedule, Missed missed, int atMost,
		Overlap overlap) {

	/** The highest permitted value of {@code atMost}. */
	public static final int MOST_MISSED = 1000;

	/** The metadata key under which jobs carry the name of their recurrence. */
	public static final String META_NAME = "recurring";

	/** The metadata key under which jobs carry the time of their tick. */
	public static final String META_DUE = "recurring_due";

	/**
	 * Create a recurring job.
	 * @throws InvalidRecurringJobException if a value is invalid; the message names the
	 * value
	 */
	public RecurringJob {
		Reason.INVALID.unless(Names.isName(name), "'name' must be %s, but is '%s'", Names.RULE, name);
		Reason.INVALID.unless(Names.isJobName(job), "'job' must be %s, but is '%s'", Names.JOB_RULE, job);
		Reason.INVALID.unless(Names.isName(queue), "'queue' must be %s, but is '%s'", Names.RULE, queue);
		Assert.notNull(schedule, "'schedule' must not be null; make one with Schedule.cron(…) or Schedule.every(…)");
		Assert.notNull(missed, "'missed' must not be null; pass RUN_ONCE for the default");
		Assert.notNull(overlap, "'overlap' must not be null; pass SKIP for the default");
		if (missed == Missed.RUN_ALL) {
			Reason.INVALID.unless(atMost >= 1 && atMost <= MOST_MISSED,
					"'atMost' must say how many missed ticks RUN_ALL runs, 1 to 1,000, but is %s", atMost);
		}
		else {
			Reason.INVALID.unless(atMost == 0, "'atMost' is for RUN_ALL, and 'missed' is %s", missed);
		}
	}

	/** Create a recurring job with the default policies. */
	public static RecurringJob of(String name, String job, String queue, Schedule schedule) {
		return new RecurringJob(name, job, queue, schedule, Missed.RUN_ONCE, 0, Overlap.SKIP);
	}

	/**
	 * Return a copy whose policy for missed ticks is {@link Missed#SKIP} or
	 * {@link Missed#RUN_ONCE}.
	 */
	public RecurringJob missed(Missed missed) {
		return new RecurringJob(this.name, this.job, this.queue, this.schedule, missed, 0, this.overlap);
	}

	/** Return a copy that makes up for up to {@code atMost} missed ticks (1 to 1,000). */
	public RecurringJob runAllMissed(int atMost) {
		return new RecurringJob(this.name, this.job, this.queue, this.schedule, Missed.RUN_ALL, atMost, this.overlap);
	}

	/**
	 * Return a copy with another policy for ticks that are due before an earlier job
	 * ends.
	 */
	public RecurringJob overlap(Overlap overlap) {
		return new RecurringJob(this.name, this.job, this.queue, this.schedule, this.missed, this.atMost, overlap);
	}

	/**
	 * Create a recurring job from the texts in annotations, configuration and requests.
	 * @param attributes each attribute of {@code @Recurring} as text, by its name in
	 * lower case with hyphens; a missing or empty attribute has its default value
	 */
	static RecurringJob read(String name, String job, String queue, Map<String, String> attributes) {
		Integer atMost = attribute(attributes, "at-most", "a number from 1 to 1,000", Integer::valueOf);
		Missed missed = constant(attributes, "missed", Missed.class);
		Overlap overlap = constant(attributes, "overlap", Overlap.class);
		return new RecurringJob(name, job, queue, schedule(attributes), (missed != null) ? missed : Missed.RUN_ONCE,
				(atMost != null) ? atMost : 0, (overlap != null) ? overlap : Overlap.SKIP);
	}

	private static Schedule schedule(Map<String, String> attributes) {
		String cron = attribute(attributes, "cron", "", Function.identity());
		String every = attribute(attributes, "every", "", Function.identity());
		Reason.INVALID.unless(cron != null || every != null, "neither 'cron' nor 'every' is set; set one of them");
		Reason.INVALID.unless(cron == null || every == null,
				"'cron' is '%s' and 'every' is '%s'; set one of them, and the other one to nothing if it is set elsewhere",
				cron, every);
		ZoneId named = attribute(attributes, "zone", "the name of a zone, as in Europe/Berlin or UTC", ZoneId::of);
		ZoneId zone = (named != null) ? named : ZoneId.of("UTC");
		Duration jitter = time(attributes, "jitter");
		return new Schedule(cron, zone, time(attributes, "every"), instant(attributes, "from", zone),
				instant(attributes, "until", zone), (jitter != null) ? jitter : Duration.ZERO);
	}

	private static <T> @Nullable T attribute(Map<String, String> attributes, String attribute, String rule,
			Function<String, @Nullable T> parser) {
		String text = attributes.getOrDefault(attribute, "").trim();
		T value = null;
		try {
			value = text.isEmpty() ? null : parser.apply(text);
		}
		catch (DateTimeException | IllegalArgumentException ex) {
			// This is reported below, with the name of the attribute.
		}
		Reason.INVALID.unless(text.isEmpty() || value != null, "'%s' must be %s, but is '%s'", attribute, rule, text);
		return value;
	}

	private static @Nullable Duration time(Map<String, String> attributes, String attribute) {
		return attribute(attributes, attribute, "a time with its unit, as in 90s, 10m, 6h, 7d or PT6H",
				(text) -> text.matches("0+\\s*[a-z]*") ? Duration.ZERO : JobOption.time(text));
	}

	private static @Nullable Instant instant(Map<String, String> attributes, String attribute, ZoneId zone) {
		return attribute(attributes, attribute, "a time such as 2026-12-01, 2026-12-01T06:00 or 2026-12-01T06:00:00Z",
				(text) -> {
					if (text.matches(".*T.*(Z|[+-]\\d\\d:?\\d\\d)")) {
						return Instant.parse(text);
					}
					return (text.contains("T") ? LocalDateTime.parse(text) : LocalDate.parse(text).atStartOfDay())
						.atZone(zone)
						.toInstant();
				});
	}

	private static <E extends Enum<E>> @Nullable E constant(Map<String, String> attributes, String attribute,
			Class<E> type) {
		return attribute(attributes, attribute, "one of " + Arrays.toString(type.getEnumConstants()),
				(text) -> Enum.valueOf(type, text.toUpperCase(Locale.ROOT).replace('-', '_')));
	}

	/** Return the time of a tick, including its jitter. */
	Instant moved(Instant tick) {
		return this.schedule.moved(this.name, tick);
	}

	/**
	 * Return the request for a job of this recurrence.
	 * @param due the time of the tick
	 * @param idempotent whether the job is idempotent; if so, equal jobs that were
	 * enqueued from elsewhere also count as overlapping
	 * @param definition the definition of the job; {@code null} if this application does
	 * not know the job
	 */
	JobRequest request(Instant due, boolean idempotent, @Nullable JobDefinition definition) {
		JobRequest request = JobRequest.named(this.job)
			.queue(this.queue)
			.meta(META_NAME, this.name)
			.meta(META_DUE, due.toString());
		if (this.overlap == Overlap.ALLOW) {
			// A custom strategy decides for each request.
			Idempotence declared = (definition == null || definition.customStrategy() != null) ? null
					: definition.idempotence();
			if (declared == null || declared.strategy() == Strategy.WHILE_EXECUTING) {
				return request;
			}
			// All ticks have the same arguments, so the job's own lock would drop ticks.
			return request.idempotent(declared.key(META_NAME + " " + this.name + " " + due));
		}
		// A lock ends with its job and must not expire earlier, so its TTL is practically
		// unlimited.
		Idempotence lock = Idempotence.untilExecuted().ttl(Duration.ofDays(36_000_000));
		lock = idempotent ? lock : lock.key(META_NAME + " " + this.name);
		return request.idempotent((this.overlap == Overlap.QUEUE_ONE) ? lock.runOnceMore() : lock);
	}

}
