package io.github.steadyjobs.definition;

import java.lang.annotation.Annotation;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.function.BiConsumer;
import java.util.function.Function;
import java.util.regex.Pattern;
import java.util.stream.Stream;

import io.github.steadyjobs.Idempotent;
import io.github.steadyjobs.Idempotent.IfDuplicate;
import io.github.steadyjobs.Idempotent.Strategy;
import io.github.steadyjobs.Job;
import io.github.steadyjobs.JobLimits;
import io.github.steadyjobs.Names;
import io.github.steadyjobs.Sequential;
import org.jspecify.annotations.Nullable;

import org.springframework.format.datetime.standard.DurationFormatterUtils;
import org.springframework.util.Assert;
import org.springframework.util.StringUtils;

/**
 * The options that {@code steadyjobs.jobs.<job>.<option>} can set. Most options override
 * the attribute of an annotation. A value must pass the same check whether it comes from
 * the configuration or from the annotation.
 */
public enum JobOption {

	QUEUE(Job.class, JobOption::queue),

	RETRIES(Job.class, (text) -> switch (text) {
		case "true" -> new int[0];
		case "false" -> new int[1];
		default -> new int[] { number(text, 0, Integer.MAX_VALUE,
				"Set it to a whole number, 0 or more; in configuration, 'true' is for 'steadyjobs.retry.max' and 'false' for none.") };
	}),

	RETRY_FOR(Job.class, JobOption::timeText), RETRY_QUEUE(Job.class, JobOption::queue),

	DEAD(Job.class, choice("keep the job when it is dead", "discard it")),

	BACKTRACE(Job.class,
			(text) -> new int[] {
					number(text, 0, Integer.MAX_VALUE, "Set it to a whole number of lines, 0 for none.") }),

	BACKOFF(Job.class, (text) -> text), EXPIRES(Job.class, JobOption::timeText),
	TIMEOUT(Job.class, JobOption::timeText),

	TAGS(Job.class, (text) -> StringUtils.trimArrayElements(StringUtils.commaDelimitedListToStringArray(text))),

	DEDUPLICATE(null, choice("drop duplicates as the job says", "drop none of them")),

	BATCH_SIZE(Sequential.class, (text) -> number(text, 1, 1_000, "Set it to 1 to 1000, the number of keys.")),

	SHARDS(Sequential.class, (text) -> number(text, 1, 1_024, "Set it to 1 to 1024.")),

	IDEMPOTENCE_STRATEGY(Idempotent.class,
			constant(Stream.of(Strategy.values()).filter((strategy) -> strategy != Strategy.DEFAULT).toList())),

	IDEMPOTENCE_TTL(Idempotent.class, JobOption::timeText),

	IF_DUPLICATE(Idempotent.class, constant(List.of(IfDuplicate.values()))),

	INCLUDE_SCHEDULED(Idempotent.class, choice("let scheduled jobs take part in deduplication", "leave them out")),

	KEEP_CONSISTENCY(Idempotent.class,
			choice("let the job see data as new as when it was enqueued", "accept older data")),

	SLOW_AFTER(null, JobOption::limit), STUCK_AFTER(null, JobOption::limit), BREAKER(null, (text) -> text);

	/** Advice for a text that {@link #time} cannot read. */
	private static final String TIME_ADVICE = "Set it to a time of 1 ms or more and less than 100,000 years, with its unit, as in 90s, 10m, 6h, 7d or PT6H.";

	private final @Nullable Class<? extends Annotation> annotation;

	private final Function<String, Object> reader;

	JobOption(@Nullable Class<? extends Annotation> annotation, Function<String, Object> reader) {
		this.annotation = annotation;
		this.reader = reader;
	}

	/**
	 * Find an option by its name. Separators between words are ignored, as in Spring
	 * Boot, because environment variables cannot contain them.
	 * @throws IllegalArgumentException if there is no such option; the message lists all
	 * options
	 */
	static JobOption find(String name) {
		return find(name, List.of(values()), "A job has no attribute '%s'. Use %%s.".formatted(name));
	}

	private static <E extends Enum<E>> E find(String name, List<E> constants, String advice) {
		String wanted = name.replaceAll("[_-]", "");
		return constants.stream()
			.filter((constant) -> constant.name().replace("_", "").equalsIgnoreCase(wanted))
			.findAny()
			.orElseThrow(() -> new IllegalArgumentException(advice.formatted(oneOf(constants))));
	}

	private static String oneOf(List<? extends Enum<?>> constants) {
		List<String> names = constants.stream().map(JobOption::dashed).toList();
		int last = names.size() - 1;
		return "'%s' or '%s'".formatted(String.join("', '", names.subList(0, last)), names.get(last));
	}

	private static String dashed(Enum<?> constant) {
		return constant.name().toLowerCase(Locale.ROOT).replace('_', '-');
	}

	/** Return the documented name of the option. */
	public String text() {
		return dashed(this);
	}

	boolean overrides(Class<? extends Annotation> type) {
		return this.annotation == type;
	}

	/** Return the name of the attribute that the option overrides. */
	String attribute() {
		return Pattern.compile("-(.)")
			.matcher(text().replace("idempotence-", ""))
			.replaceAll((letter) -> letter.group(1).toUpperCase(Locale.ROOT));
	}

	/**
	 * Read a value from the configuration.
	 * @return the value, in the type that the attribute would have
	 * @throws IllegalArgumentException if the value is invalid; the message says how to
	 * fix it
	 */
	Object read(String text) {
		return this.reader.apply(text);
	}

	/**
	 * Check a value from an annotation.
	 * @param report receives the problem and how to fix it
	 * @return whether the value is valid
	 */
	boolean check(Object value, BiConsumer<String, String> report) {
		try {
			read(value.toString());
			return true;
		}
		catch (IllegalArgumentException ex) {
			String form = (value instanceof String) ? "has %s = '%s'" : "has %s = %s";
			report.accept(form.formatted(attribute(), value), String.valueOf(ex.getMessage()));
			return false;
		}
	}

	private static String queue(String text) {
		Assert.isTrue(Names.isName(text), "Use %s as the name of the queue.".formatted(Names.RULE));
		return text;
	}

	private static int number(String text, int least, int most, String advice) {
		Assert.isTrue(text.matches("\\d{1,10}"), advice);
		long number = Long.parseLong(text);
		Assert.isTrue(number >= least && number <= most, advice);
		return (int) number;
	}

	private static Function<String, Object> choice(String whenTrue, String whenFalse) {
		return (text) -> {
			Assert.isTrue(text.matches("true|false"),
					"Set it to 'true' to %s, or to 'false' to %s.".formatted(whenTrue, whenFalse));
			return Boolean.valueOf(text);
		};
	}

	private static <E extends Enum<E>> Function<String, Object> constant(List<E> constants) {
		return (text) -> find(text, constants, "Use %s.");
	}

	private static String timeText(String text) {
		Assert.isTrue(time(text) != null, TIME_ADVICE);
		return text;
	}

	private static Duration limit(String text) {
		Duration time = anyTime(text);
		Assert.isTrue(time != null && !time.isNegative(),
				"Set it to a time with its unit, as in '90s' or '10m', or to '0s' for no reports.");
		return time;
	}

	/**
	 * Read a duration of at least 1 ms and less than 100,000 years, with its unit.
	 * @return the duration; {@code null} if the text is anything else
	 */
	public static @Nullable Duration time(String text) {
		Duration time = anyTime(text);
		return (time != null && JobLimits.isTime(time)) ? time : null;
	}

	private static @Nullable Duration anyTime(String text) {
		try {
			// A number without a unit would mean milliseconds, which is hardly ever
			// intended.
			return text.matches(".*\\d\\s*") ? null : DurationFormatterUtils.detectAndParse(text);
		}
		catch (IllegalArgumentException | ArithmeticException ex) {
			return null;
		}
	}

}
