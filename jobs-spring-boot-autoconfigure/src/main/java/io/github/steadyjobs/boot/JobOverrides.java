package io.github.steadyjobs.boot;

import java.time.Duration;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import io.github.steadyjobs.Idempotent.IfDuplicate;
import io.github.steadyjobs.Idempotent.Strategy;
import io.github.steadyjobs.Names;
import io.github.steadyjobs.definition.JobSettings;
import io.github.steadyjobs.definition.OptionSettings;
import io.github.steadyjobs.idempotence.IdempotenceDefaults;
import io.github.steadyjobs.idempotence.IdempotenceSettings;
import io.github.steadyjobs.server.WorkerSettings.Thresholds;
import org.jspecify.annotations.Nullable;

import org.springframework.boot.convert.DurationStyle;
import org.springframework.util.StringUtils;

/**
 * Reads {@code steadyjobs.jobs.<name>.<attribute>}. Names of jobs have dots, so only the
 * last one separates.
 */
final class JobOverrides {

	private static final String PREFIX = "steadyjobs.jobs.";

	private final Map<Attribute, Entry> entries = new EnumMap<>(Attribute.class);

	private JobOverrides() {
	}

	static Map<String, JobSettings> read(Map<String, String> properties) {
		return each(properties, JobOverrides::settings);
	}

	/**
	 * Read from when on runs of single jobs are slow or stuck.
	 * @param usual from when on those of others are
	 */
	static Map<String, Thresholds> thresholds(Map<String, String> properties, RunProperties usual) {
		return each(properties,
				(job) -> new Thresholds(
						Objects.requireNonNullElse(job.get(Attribute.SLOW_AFTER, Entry::limit), usual.slowAfter()),
						Objects.requireNonNullElse(job.get(Attribute.STUCK_AFTER, Entry::limit), usual.stuckAfter())));
	}

	/**
	 * Return the breakers of jobs, as they are set.
	 */
	static Map<String, String> breakers(Map<String, String> properties) {
		Map<String, String> breakers = new HashMap<>();
		each(properties, (job) -> Optional.ofNullable(job.get(Attribute.BREAKER, Entry::value)))
			.forEach((name, breaker) -> breaker.ifPresent((spec) -> breakers.put(name, spec)));
		return breakers;
	}

	private static <T> Map<String, T> each(Map<String, String> properties, Function<JobOverrides, T> reader) {
		Map<String, JobOverrides> jobs = new HashMap<>();
		properties.forEach((key, value) -> {
			int dot = key.lastIndexOf('.');
			JobsPropertyException.throwUnless(dot > 0, PREFIX + key, value,
					"Name a job and an attribute of it, as in 'steadyjobs.jobs.InvoiceJobs.send.queue'.");
			Entry entry = new Entry(PREFIX + key, value.trim());
			// The first of two spellings counts: it comes from the stronger source.
			jobs.computeIfAbsent(key.substring(0, dot), (name) -> new JobOverrides()).entries
				.putIfAbsent(entry.attribute(key.substring(dot + 1)), entry);
		});
		return jobs.entrySet()
			.stream()
			.collect(Collectors.toMap(Map.Entry::getKey, (job) -> reader.apply(job.getValue())));
	}

	/**
	 * Return the names of the attributes as they are documented.
	 */
	static List<String> attributes() {
		return Stream.of(Attribute.values()).map(Attribute::dashed).toList();
	}

	private JobSettings settings() {
		IdempotenceSettings idempotence = new IdempotenceSettings(
				get(Attribute.IDEMPOTENCE_STRATEGY, (entry) -> entry.constant(Strategy.class, Strategy.DEFAULT)),
				get(Attribute.IDEMPOTENCE_TTL, Entry::time),
				get(Attribute.IF_DUPLICATE, (entry) -> entry.constant(IfDuplicate.class, null)),
				get(Attribute.INCLUDE_SCHEDULED, (entry) -> entry.choice(
						"Set it to 'true' to let scheduled jobs take part in deduplication, or to 'false' not to.")),
				get(Attribute.KEEP_CONSISTENCY, (entry) -> entry.choice(
						"Set it to 'true' to let the job see data as new as when it was enqueued, or to 'false' not to.")));
		return new JobSettings(get(Attribute.QUEUE, Entry::queue), get(Attribute.RETRIES, Entry::retries),
				get(Attribute.DEAD,
						(entry) -> entry
							.choice("Set it to 'true' to keep the job when it is dead, or to 'false' to discard it.")),
				get(Attribute.DEDUPLICATE, (entry) -> entry.choice(
						"Set it to 'false' to drop no duplicates of the job, or to 'true' to drop them as the job says.")),
				get(Attribute.BATCH_SIZE,
						(entry) -> entry.number(1, 1_000, "Set it to 1 to 1000, the number of keys.")),
				get(Attribute.SHARDS, (entry) -> entry.number(1, 1_024, "Set it to 1 to 1024.")), options(),
				idempotence);
	}

	private OptionSettings options() {
		return new OptionSettings(get(Attribute.RETRY_FOR, Entry::time), get(Attribute.RETRY_QUEUE, Entry::queue),
				get(Attribute.BACKTRACE,
						(entry) -> entry.number(0, 999_999, "Set it to a whole number of lines, 0 for none.")),
				get(Attribute.BACKOFF, Entry::value), get(Attribute.EXPIRES, Entry::time),
				get(Attribute.TIMEOUT, Entry::time), get(Attribute.TAGS, Entry::texts));
	}

	private <T> @Nullable T get(Attribute attribute, Function<Entry, T> reader) {
		Entry entry = this.entries.get(attribute);
		return (entry != null) ? reader.apply(entry) : null;
	}

	private static String dashed(Enum<?> constant) {
		return constant.name().toLowerCase(Locale.ROOT).replace('_', '-');
	}

	/**
	 * Compare as Spring Boot does: environment variables have nothing between words.
	 */
	private static boolean matches(Enum<?> constant, String text) {
		return constant.name().replace("_", "").equalsIgnoreCase(text.replaceAll("[_-]", ""));
	}

	/**
	 * What can be set.
	 */
	private enum Attribute {

		QUEUE, RETRIES, RETRY_FOR, RETRY_QUEUE, DEAD, BACKTRACE, BACKOFF, EXPIRES, TIMEOUT, TAGS, DEDUPLICATE,
		BATCH_SIZE, SHARDS, IDEMPOTENCE_STRATEGY, IDEMPOTENCE_TTL, IF_DUPLICATE, INCLUDE_SCHEDULED, KEEP_CONSISTENCY,
		SLOW_AFTER, STUCK_AFTER, BREAKER;

		String dashed() {
			return JobOverrides.dashed(this);
		}

	}

	/**
	 * One property.
	 *
	 * @param property its whole name
	 * @param value its value
	 */
	private record Entry(String property, String value) {

		Attribute attribute(String name) {
			return Stream.of(Attribute.values())
				.filter((attribute) -> matches(attribute, name))
				.findAny()
				.orElseThrow(() -> bad("A job has no attribute '%s'. Use %s.".formatted(name, oneOf(attributes()))));
		}

		String queue() {
			return valid(Names.isName(this.value), "Use %s as the name of the queue.".formatted(Names.RULE));
		}

		Integer number(int least, int most, String action) {
			Integer number = Integer.valueOf(valid(this.value.matches("\\d{1,6}"), action));
			valid(number >= least && number <= most, action);
			return number;
		}

		OptionalInt retries() {
			if (this.value.equals("true")) {
				return OptionalInt.empty();
			}
			return OptionalInt.of(this.value.equals("false") ? 0 : number(0, 999_999,
					"Set it to a whole number, 0 or more, to 'true' for 'steadyjobs.retry.max', or to 'false' for none."));
		}

		List<String> texts() {
			return Stream.of(StringUtils.commaDelimitedListToStringArray(this.value)).map(String::trim).toList();
		}

		Boolean choice(String action) {
			return Boolean.valueOf(valid(this.value.matches("true|false"), action));
		}

		Duration time() {
			return time("Set it to a time of 1 ms or more, with its unit, as in '90s', '10m' or '6h'.",
					IdempotenceDefaults::isTtl);
		}

		Duration limit() {
			return time("Set it to a time with its unit, as in '90s' or '10m', or to '0s' for no reports.",
					(time) -> !time.isNegative());
		}

		private Duration time(String action, Predicate<Duration> rule) {
			try {
				Duration time = DurationStyle.detectAndParse(valid(!this.value.matches(".*\\d"), action));
				if (rule.test(time)) {
					return time;
				}
			}
			catch (IllegalArgumentException ex) {
				// Reported below, like one that is out of its range.
			}
			throw bad(action);
		}

		<E extends Enum<E>> E constant(Class<E> type, @Nullable E except) {
			List<E> constants = Stream.of(type.getEnumConstants()).filter((constant) -> constant != except).toList();
			return constants.stream()
				.filter((constant) -> matches(constant, this.value))
				.findAny()
				.orElseThrow(
						() -> bad("Use %s.".formatted(oneOf(constants.stream().map(JobOverrides::dashed).toList()))));
		}

		private String valid(boolean valid, String action) {
			if (!valid) {
				throw bad(action);
			}
			return this.value;
		}

		private JobsPropertyException bad(String action) {
			return new JobsPropertyException(this.property, this.value, action);
		}

		private static String oneOf(List<String> names) {
			int last = names.size() - 1;
			return "'%s' or '%s'".formatted(String.join("', '", names.subList(0, last)), names.get(last));
		}

	}

}
