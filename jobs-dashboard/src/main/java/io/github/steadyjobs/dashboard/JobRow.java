package io.github.steadyjobs.dashboard;

import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Set;

import io.github.steadyjobs.JobPayload;
import io.github.steadyjobs.admin.JobEntry;
import io.github.steadyjobs.admin.JobPlace;
import io.github.steadyjobs.admin.JobView;
import org.jspecify.annotations.Nullable;

/**
 * A job in a list.
 *
 * @param entry the job
 * @param view the properties of the job, with values only if the viewer may see them
 */
record JobRow(JobEntry entry, Map<String, Object> view) {

	private static final Set<String> PARKED = Set.of("unknown", "unbound", "mutex", "moving", "paused");

	static JobRow of(JobEntry entry, JobView views, boolean showsValues) {
		return new JobRow(entry, views.of(entry, showsValues));
	}

	String id() {
		return Plain.line(this.entry.id());
	}

	String address() {
		return OneJobPage.address(this.entry.id());
	}

	String name() {
		JobPayload payload = this.entry.payload();
		return (payload != null) ? Plain.line(payload.name()) : Words.of("job.unreadable");
	}

	/**
	 * Return when the job is due or when it died; for other places, when the job was
	 * enqueued; {@code null} if unknown.
	 */
	@Nullable Instant time() {
		JobPayload payload = this.entry.payload();
		return (this.entry.time() != null) ? this.entry.time() : (payload != null) ? payload.enqueuedAt() : null;
	}

	int attempts() {
		return (this.entry.payload() != null) ? this.entry.payload().attempts() : 0;
	}

	List<String> tags() {
		return (this.entry.payload() != null) ? this.entry.payload().tags().stream().map(Plain::line).toList()
				: List.of();
	}

	/** Return the arguments on one line, empty if the job cannot be read. */
	String arguments() {
		return this.view.containsKey("arguments") ? Json.line(this.view.get("arguments")) : "";
	}

	String errorClass() {
		return Plain.line(String.valueOf(this.view.getOrDefault("errorClass", "")));
	}

	String errorMessage() {
		return Plain.beginning(String.valueOf(this.view.getOrDefault("errorMessage", "")));
	}

	/** Return why the job is parked, or the stored text if the job cannot be read. */
	String note() {
		if (this.entry.payload() == null) {
			return Plain.line(String.valueOf(this.view.getOrDefault("note", "")));
		}
		return (this.entry.place() == JobPlace.PARKED) ? parked(this.entry.note()) : "";
	}

	/** Return in words why a job is parked. */
	static String parked(String note) {
		int colon = note.indexOf(':');
		String kind = note.substring(0, Math.max(0, colon));
		return PARKED.contains(kind) ? Words.of("parked." + kind, Plain.line(note.substring(colon + 1)))
				: Words.of("parked.held", Plain.line(note));
	}

}
