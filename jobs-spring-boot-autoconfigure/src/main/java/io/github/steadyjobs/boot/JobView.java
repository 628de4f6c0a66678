package io.github.steadyjobs.boot;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

import io.github.steadyjobs.InvalidJobException;
import io.github.steadyjobs.JobPayload;
import io.github.steadyjobs.admin.JobDetails;
import io.github.steadyjobs.admin.JobEntry;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

import org.springframework.boot.actuate.endpoint.SanitizableData;
import org.springframework.boot.actuate.endpoint.Sanitizer;

/**
 * Describes jobs as the endpoint shows them. Data of the application may be secret:
 * arguments, metadata, keys, and failure messages, which often quote such data. This data
 * is hidden in the same way in which Spring Boot hides the values of properties.
 */
final class JobView {

	private final Sanitizer sanitizer;

	JobView(Sanitizer sanitizer) {
		this.sanitizer = sanitizer;
	}

	Map<String, Object> of(JobDetails details, boolean showsValues) {
		Map<String, Object> view = new LinkedHashMap<>();
		view.put("reason", details.reason());
		view.put("explanation", details.explanation());
		if (!details.blocker().isEmpty()) {
			view.put("blocker", details.blocker());
		}
		if (details.crashes() > 0) {
			view.put("crashes", details.crashes());
		}
		view.putAll(of(details.job(), showsValues));
		return view;
	}

	Map<String, Object> of(JobEntry job, boolean showsValues) {
		Map<String, Object> view = new LinkedHashMap<>();
		view.put("id", job.id());
		view.put("queue", job.queue());
		view.put("place", OperationArguments.text(job.place()));
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

	private @Nullable Object values(String key, JsonNode node, boolean showsValues) {
		if (node.isMissingNode() || node.isNull()) {
			return null;
		}
		if (!showsValues) {
			// Hide even the number and the names of the values.
			return sanitized(key, node, false);
		}
		if (node.isObject()) {
			Map<String, @Nullable Object> values = new LinkedHashMap<>();
			node.properties()
				.forEach((field) -> values.put(field.getKey(),
						values(key + "." + field.getKey(), field.getValue(), true)));
			return values;
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
		return this.sanitizer.sanitize(new SanitizableData(null, key, value), showsValues);
	}

	private static void put(Map<String, Object> view, String name, @Nullable Object value) {
		if (value != null) {
			view.put(name, value);
		}
	}

}
