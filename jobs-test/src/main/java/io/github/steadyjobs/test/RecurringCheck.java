package io.github.steadyjobs.test;

import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Function;

import io.github.steadyjobs.definition.JobRegistry;
import io.github.steadyjobs.recurring.RecurringJob;
import io.github.steadyjobs.recurring.RecurringSettings;
import io.github.steadyjobs.recurring.Schedule;
import org.jspecify.annotations.Nullable;

import org.springframework.context.ApplicationContext;
import org.springframework.util.Assert;

/**
 * Checks when recurring jobs run, without waiting. Immutable: each method that changes a
 * setting returns a new check.
 *
 * <pre class="code">
 * RecurringCheck all = RecurringCheck.in(context);
 * all.neverRunsMoreOftenThanEvery(Duration.ofMinutes(5));
 * all.job("report")
 *     .after("2026-03-28T12:00:00Z")
 *     .runsNextAt("2026-03-29T03:00:00+02:00", "2026-03-30T03:00:00+02:00");
 * </pre>
 *
 * Only the times of ticks are checked. A job may begin later than its tick, and a missed
 * tick may run together with the next tick, depending on policies and operators. Redis is
 * not needed. Assertions throw an {@link AssertionError} if there is no recurring job to
 * check.
 */
public final class RecurringCheck {

	private final Map<String, RecurringJob> jobs;

	private final Instant after;

	private RecurringCheck(Map<String, RecurringJob> jobs, Instant after) {
		this.jobs = jobs;
		this.after = after;
	}

	/**
	 * Create a check of all recurring jobs that the beans of an application declare, with
	 * the overrides of its configuration.
	 * @param context the context of the application, with workers or without
	 * @return the check
	 * @throws io.github.steadyjobs.definition.JobDefinitionException if a declaration or
	 * an override is invalid
	 */
	public static RecurringCheck in(ApplicationContext context) {
		Assert.notNull(context, "'context' must not be null; pass the one of the application");
		RecurringSettings settings = context.getBeanProvider(RecurringSettings.class).getIfAvailable();
		if (settings == null) {
			throw new AssertionError(
					"The context has no RecurringSettings, so no recurring jobs are known. Test the whole application, "
							+ "for example with @SpringBootTest, and leave steadyjobs.enabled on: that needs no Redis.");
		}
		return of(settings.declared(context.getBean(JobRegistry.class)));
	}

	/**
	 * Create a check of all recurring jobs that annotations declare. Placeholders are
	 * resolved from system properties, environment variables and their defaults.
	 * @param beans the classes of the beans; no beans are created. Use
	 * {@link #in(ApplicationContext)} for jobs that name other beans, such as a back-off
	 * @return the check
	 * @throws io.github.steadyjobs.definition.JobDefinitionException if an application
	 * with these beans would not start
	 */
	public static RecurringCheck of(Class<?>... beans) {
		Assert.notEmpty(beans, "'beans' must not be empty; pass the classes that have the jobs");
		return of(RecurringClasses.read(beans));
	}

	/**
	 * Create a check of the given recurring jobs, such as those created at run time.
	 * @param jobs the recurring jobs
	 * @return the check
	 */
	public static RecurringCheck of(RecurringJob... jobs) {
		return of(Arrays.asList(jobs));
	}

	private static RecurringCheck of(Collection<RecurringJob> jobs) {
		if (jobs.isEmpty()) {
			throw new AssertionError("There is no recurring job, or all are switched off. A check of nothing proves "
					+ "nothing: remove it, or find out why @Recurring is not found.");
		}
		Map<String, RecurringJob> byName = new TreeMap<>();
		jobs.forEach((job) -> byName.put(job.name(), job));
		return new RecurringCheck(byName, Instant.now());
	}

	/**
	 * Choose one recurring job.
	 * @param name the name in the annotation or, if the annotation has no name, the name
	 * of the job
	 * @return a check of that recurring job
	 * @throws AssertionError if there is no recurring job with that name
	 */
	public RecurringCheck job(String name) {
		RecurringJob job = this.jobs.get(name);
		if (job == null) {
			throw new AssertionError("There is no recurring job '%s', or it is switched off. Known are: %s"
				.formatted(name, this.jobs.keySet()));
		}
		return new RecurringCheck(Map.of(name, job), this.after);
	}

	/**
	 * Set the time at which the check begins, by default the current time. Set a fixed
	 * time if the test must give the same result every day.
	 * @param time a time with its offset or zone, such as {@code 2026-03-28T12:00:00Z},
	 * {@code 2026-03-28T13:00:00+01:00} or
	 * {@code 2026-03-28T13:00:00+01:00[Europe/Berlin]}
	 * @return a check that begins at that time
	 */
	public RecurringCheck after(String time) {
		return new RecurringCheck(this.jobs, instant(time));
	}

	/**
	 * Assert that the next ticks are at the given times, without other ticks in between.
	 * Jitter is ignored.
	 * @param times the times in ascending order, written as for {@link #after}
	 * @return this check
	 * @throws AssertionError if any of the recurring jobs has different ticks
	 */
	public RecurringCheck runsNextAt(String... times) {
		Assert.notEmpty(times, "'times' must not be empty; pass the times of the next ticks");
		List<Instant> expected = Arrays.stream(times).map(RecurringCheck::instant).toList();
		return assertNone((job) -> {
			List<Instant> actual = ticks(job, expected.size());
			return actual.equals(expected) ? null
					: "%s does not run at these times, the next after %s:%n  %s%nbut at:%n  %s".formatted(describe(job),
							local(job, this.after), local(job, expected), local(job, actual));
		});
	}

	/**
	 * Assert that each tick is at least a given time after the previous tick, including
	 * the jitter of both ticks. The check covers the next 10,000 ticks or, if there are
	 * fewer, all ticks of the next five years. It also covers each clock change within
	 * five years. Several recurrences of one job are checked separately.
	 * @param period the minimum time between two ticks
	 * @return this check
	 * @throws AssertionError if two ticks of a recurring job are closer to each other
	 */
	public RecurringCheck neverRunsMoreOftenThanEvery(Duration period) {
		Assert.isTrue(period.compareTo(Schedule.PRECISION) >= 0,
				() -> "'period' must be 1 s or more, because nothing recurs more often, but is " + period);
		return assertNone((job) -> {
			List<Instant> two = new TickDistance(job, period).findNearer(this.after);
			return two.isEmpty() ? null
					: "%s runs more often than every %s: at%n  %s%nand %s later at%n  %s".formatted(describe(job),
							period, local(job, two.get(0)), Duration.between(two.get(0), two.get(1)),
							local(job, two.get(1)));
		});
	}

	private RecurringCheck assertNone(Function<RecurringJob, @Nullable String> problem) {
		List<String> problems = new ArrayList<>();
		for (RecurringJob job : this.jobs.values()) {
			String found = problem.apply(job);
			if (found != null) {
				problems.add(found);
			}
		}
		if (!problems.isEmpty()) {
			throw new AssertionError(String.join(System.lineSeparator(), problems));
		}
		return this;
	}

	private List<Instant> ticks(RecurringJob job, int count) {
		List<Instant> ticks = new ArrayList<>();
		Instant next = job.schedule().next(job.name(), this.after);
		while (next != null && ticks.size() < count) {
			ticks.add(next);
			next = job.schedule().next(job.name(), next);
		}
		return ticks;
	}

	private static Instant instant(String time) {
		try {
			return DateTimeFormatter.ISO_ZONED_DATE_TIME.parse(time, Instant::from);
		}
		catch (DateTimeException ex) {
			throw new IllegalArgumentException("'%s' is no time with an offset or zone, as in 2026-03-28T12:00:00Z "
				.concat("or 2026-03-28T13:00:00+01:00")
				.formatted(time), ex);
		}
	}

	private static String describe(RecurringJob job) {
		return "Recurring job '%s' (%s)".formatted(job.name(), job.schedule());
	}

	private static String local(RecurringJob job, List<Instant> times) {
		return times.isEmpty() ? "no time, as it has ended"
				: String.join(", ", times.stream().map((time) -> local(job, time)).toList());
	}

	private static String local(RecurringJob job, Instant time) {
		ZoneId zone = job.schedule().zone();
		return time.atZone(zone).toString();
	}

}
