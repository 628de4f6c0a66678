package io.github.steadyjobs.dashboard;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;

import org.jspecify.annotations.Nullable;

/**
 * A failed run in the history of a job.
 *
 * @param time when the run failed
 * @param errorClass the class of the exception
 * @param message the first line of the message, or asterisks if values are hidden
 * @param process the name of the process that ran the job, empty if unknown
 * @param ran the duration of the run, {@code null} if unknown
 */
record FailedRun(@Nullable Instant time, String errorClass, String message, String process, @Nullable Duration ran) {

	/**
	 * Return the failed runs of a job, the latest first.
	 * @param view the job as {@code JobView} describes it
	 */
	static List<FailedRun> of(Map<String, Object> view) {
		List<FailedRun> runs = new ArrayList<>();
		if (view.get("failures") instanceof List<?> failures) {
			for (Object failure : failures) {
				runs.add(read((Map<?, ?>) failure));
			}
		}
		Collections.reverse(runs);
		return runs;
	}

	private static FailedRun read(Map<?, ?> failure) {
		return new FailedRun((Instant) failure.get("time"), text(failure.get("errorClass")),
				text(failure.get("errorMessage")),
				// Remove the suffix that counts how often the process joined the queue.
				text(failure.get("process")).replaceFirst("\\.\\d+$", ""), (Duration) failure.get("ran"));
	}

	private static String text(@Nullable Object value) {
		return (value != null) ? Plain.line(value.toString()) : "";
	}

}
