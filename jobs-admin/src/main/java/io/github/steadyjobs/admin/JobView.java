package io.github.steadyjobs.admin;

import java.util.ArrayList;
import java.util.EnumSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.BiFunction;
import java.util.stream.Collectors;

import io.github.steadyjobs.InvalidJobException;
import io.github.steadyjobs.JobFailure;
import io.github.steadyjobs.JobPayload;
import io.github.steadyjobs.PayloadField;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/**
 * Describes jobs for display. Data of the application may be secret: arguments, metadata,
 * keys, and failure messages, which often quote such data. A {@link Sanitizer} determines
 * how much of this data is shown. Thread safe if the sanitizer is thread safe.
 */
public final class JobView {

	private static final JobView OPEN = new JobView((key, value, showsValues) -> value);

	/** Fields that every reader may see. Tags are among them: they are for people. */
	private static final Set<String> OF_THIS_LIBRARY = EnumSet
		.complementOf(EnumSet.of(PayloadField.ARGS, PayloadField.KEY, PayloadField.META, PayloadField.ERROR_MESSAGE,
				PayloadField.ERROR_BACKTRACE, PayloadField.ATTEMPTS, PayloadField.SCORE, PayloadField.UNREADABLE))
		.stream()
		.map(PayloadField::text)
		.collect(Collectors.toUnmodifiableSet());

	private static final String ATTEMPTS = PayloadField.ATTEMPTS.text();

	/** Fields of a stored failure that never contain data of the application. */
	private static final Set<String> OF_A_FAILURE = Set.of("at", "class", "process", "ran");

	/** Keys for a {@link Sanitizer}, by field; other fields have their name as key. */
	private static final Map<String, String> KEYS = Map.of(PayloadField.ARGS.text(), "arguments",
			PayloadField.ERROR_MESSAGE.text(), "errorMessage", PayloadField.ERROR_BACKTRACE.text(), "backtrace");

	private final Sanitizer sanitizer;

	/** Create a view. The sanitizer determines which values are hidden. */
	public JobView(Sanitizer sanitizer) {
		this.sanitizer = sanitizer;
	}

	/**
	 * Describe a job and why it does not run.
	 * @param showsValues whether the reader may see values
	 * @return the properties of the job by name; properties without a value are left out
	 */
	public Map<String, Object> of(JobDetails details, boolean showsValues) {
		Map<String, Object> view = new LinkedHashMap<>();
		view.put("reason", details.reason());
		view.put("explanation", details.explanation());
		if (!details.blocker().isEmpty()) {
			view.put("blocker", details.blocker());
		}
		if (details.crashes() > 0) {
			view.put("crashes", details.crashes());
		}
		if (details.run() != null) {
			view.put("since", details.run().since());
		}
		view.putAll(of(details.job(), showsValues));
		if (!details.failures().isEmpty()) {
			view.put("failures", details.failures().stream().map((failure) -> of(failure, showsValues)).toList());
		}
		return view;
	}

	private Map<String, Object> of(JobFailure failure, boolean showsValues) {
		Map<String, Object> view = new LinkedHashMap<>();
		view.put("time", failure.time());
		view.put("errorClass", failure.errorClass());
		put(view, "errorMessage", sanitized("errorMessage", failure.message(), showsValues));
		view.put("process", failure.process());
		put(view, "ran", failure.ran());
		return view;
	}

	/**
	 * Describe a job.
	 * @param showsValues whether the reader may see values
	 * @return the properties of the job by name; properties without a value are left out
	 */
	public Map<String, Object> of(JobEntry job, boolean showsValues) {
		Map<String, Object> view = new LinkedHashMap<>();
		view.put("id", job.id());
		view.put("queue", job.queue());
		view.put("place", job.place().part().text());
		put(view, "time", job.time());
		JobPayload payload = job.payload();
		if (!job.note().isEmpty()) {
			// The note of an unreadable job is the beginning of its payload.
			view.put("note", (payload != null) ? job.note() : sanitized("note", job.note(), showsValues));
		}
		if (job.payloads() != 1) {
			view.put("payloads", job.payloads());
		}
		if (payload != null) {
			addPayload(view, payload, showsValues);
		}
		return view;
	}

	private void addPayload(Map<String, Object> view, JobPayload payload, boolean showsValues) {
		view.put("job", payload.name());
		if (!payload.tags().isEmpty()) {
			view.put("tags", payload.tags());
		}
		view.put("createdAt", payload.createdAt());
		view.put("enqueuedAt", payload.enqueuedAt());
		view.put("attempts", payload.attempts());
		put(view, "key", sanitized("key", payload.key(), showsValues));
		if (!payload.meta().isEmpty()) {
			Map<String, @Nullable Object> meta = new LinkedHashMap<>();
			payload.meta().forEach((name, value) -> meta.put(name, sanitized("meta." + name, value, showsValues)));
			view.put("meta", meta);
		}
		try {
			put(view, "failedAt", payload.failedAt());
			put(view, "retriedAt", payload.retriedAt());
			put(view, "errorClass", payload.errorClass());
			put(view, "errorMessage", sanitized("errorMessage", payload.errorMessage(), showsValues));
			put(view, "backtrace", values("backtrace", payload.field("error_backtrace"), showsValues));
			put(view, "arguments", values("arguments", payload.arguments(), showsValues));
		}
		catch (InvalidJobException ex) {
			put(view, "unreadable", sanitized("unreadable", ex.getMessage(), showsValues));
		}
	}

	/**
	 * Describe an action of an operator. Its target can contain values of jobs: the key
	 * of an ordered job, or the search text of a filter.
	 * @param showsValues whether to show these values
	 * @return the properties of the action, by name
	 */
	public Map<String, Object> of(OperatorAction action, boolean showsValues) {
		Map<String, @Nullable Object> target = new LinkedHashMap<>();
		action.target()
			.forEach((name, value) -> target.put(name,
					(name.equals("key") || name.equals("text")) ? sanitized(name, value, showsValues) : value));
		Map<String, Object> view = new LinkedHashMap<>();
		view.put("id", action.id());
		view.put("who", action.who());
		view.put("action", action.action());
		view.put("target", target);
		view.put("count", action.count());
		view.put("since", action.since());
		view.put("at", action.at());
		return view;
	}

	/**
	 * Show a job as it is stored: all of its fields in their order, and numbers with all
	 * of their digits.
	 * @param showsValues whether the reader may see values
	 * @return the fields by name: texts, numbers, booleans, and lists and maps of these
	 * @throws InvalidJobException if the job cannot be read
	 */
	public Map<String, @Nullable Object> stored(JobPayload payload, boolean showsValues) {
		return fields(payload.json(),
				(name, value) -> OF_THIS_LIBRARY.contains(name) ? OPEN.values(name, value, true) : name.equals(ATTEMPTS)
						? attempts(value, showsValues) : values(KEYS.getOrDefault(name, name), value, showsValues));
	}

	private @Nullable Object attempts(JsonNode stored, boolean showsValues) {
		if (!stored.isArray() || !stored.valueStream().allMatch(JsonNode::isObject)) {
			return values(ATTEMPTS, stored, showsValues);
		}
		return stored.valueStream()
			.map((failure) -> fields(failure,
					(name, value) -> OF_A_FAILURE.contains(name) ? OPEN.values(name, value, true)
							: values(name.equals("message") ? "errorMessage" : ATTEMPTS + "." + name, value,
									showsValues)))
			.toList();
	}

	private static Map<String, @Nullable Object> fields(JsonNode object,
			BiFunction<String, JsonNode, @Nullable Object> show) {
		Map<String, @Nullable Object> fields = new LinkedHashMap<>();
		object.properties()
			.forEach((field) -> fields.put(field.getKey(), show.apply(field.getKey(), field.getValue())));
		return fields;
	}

	private @Nullable Object values(String key, JsonNode node, boolean showsValues) {
		if (node.isMissingNode() || node.isNull()) {
			return null;
		}
		if (!showsValues) {
			// Hide even the number and the names of the values.
			return sanitized(key, node, false);
		}
		if (node.isObject()) {
			return fields(node, (name, value) -> values(key + "." + name, value, true));
		}
		if (node.isArray()) {
			List<@Nullable Object> values = new ArrayList<>();
			node.forEach((element) -> values.add(values(key + "[" + values.size() + "]", element, true)));
			return values;
		}
		return sanitized(key,
				node.isNumber() ? node.numberValue() : node.isBoolean() ? node.booleanValue() : node.asString(), true);
	}

	private @Nullable Object sanitized(String key, @Nullable Object value, boolean showsValues) {
		return this.sanitizer.sanitize(key, value, showsValues);
	}

	private static void put(Map<String, Object> view, String name, @Nullable Object value) {
		if (value != null) {
			view.put(name, value);
		}
	}

	/** Determines whether a value is shown or hidden. */
	@FunctionalInterface
	public interface Sanitizer {

		/**
		 * Return the value to show, which is the given value or a replacement for it.
		 * @param key the position of the value, such as {@code arguments[0].name}
		 * @param value the value; if no values may be shown, it can contain all values
		 * below the key
		 * @param showsValues whether values may be shown at all
		 */
		@Nullable Object sanitize(String key, @Nullable Object value, boolean showsValues);

	}

}
