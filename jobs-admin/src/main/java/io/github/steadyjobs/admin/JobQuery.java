package io.github.steadyjobs.admin;

import java.time.Instant;
import java.util.EnumSet;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.regex.Pattern;

import org.jspecify.annotations.Nullable;

import org.springframework.util.Assert;
import org.springframework.util.StringUtils;

/**
 * A query for jobs that are in one place. Immutable.
 *
 * @param place the place of the jobs
 * @param queue the name of their queue; {@code null} for all queues
 * @param name a pattern for the name of the job, in which {@code *} stands for any
 * characters and {@code ?} for a single character; {@code null} for any name
 * @param id the beginning of the id; {@code null} for any id
 * @param tag a tag of the jobs; {@code null} for jobs with or without tags
 * @param error a pattern for the class of the last failure, such as {@code java.net.*};
 * {@code null} for any class or no failure. Accepted only for retries and dead jobs.
 * @param text a text that occurs in the stored job, for example in its arguments or the
 * message of its last failure, ignoring case; {@code null} for any content
 * @param times the period in which the jobs are due or, for dead jobs, died; in other
 * places, the period in which they were enqueued; {@code null} for any time
 * @param size the number of jobs on a page, 1 to {@value #MOST_AT_ONCE}
 * @param after the {@linkplain JobPage#next() cursor of the page}; empty for the first
 * page
 */
public record JobQuery(JobPlace place, @Nullable String queue, @Nullable String name, @Nullable String id,
		@Nullable String tag, @Nullable String error, @Nullable String text, @Nullable TimeRange times, int size,
		String after) {

	/** Maximum number of jobs on a page. */
	public static final int MOST_AT_ONCE = 1000;

	private static final int LONGEST = 1000;

	/** The places to which failed jobs go. */
	private static final Set<JobPlace> FAILED = EnumSet.of(JobPlace.RETRIES, JobPlace.DEAD);

	/**
	 * Create a query.
	 * @throws IllegalArgumentException if the size is out of range, a pattern is empty or
	 * longer than 1,000 characters, or {@code error} is set for a place whose jobs have
	 * not failed
	 */
	public JobQuery {
		Objects.requireNonNull(place, "'place' must not be null; pass where the jobs are");
		Assert.isTrue(size >= 1 && size <= MOST_AT_ONCE,
				() -> "'size' must be 1 to " + MOST_AT_ONCE + ", but is " + size);
		queue = checked("queue", queue);
		name = checked("name", name);
		id = checked("id", id);
		tag = checked("tag", tag);
		error = checked("error", error);
		Assert.isTrue(error == null || FAILED.contains(place),
				() -> "'error' is for jobs in 'retries' or 'dead', but not in '%s', where jobs have not failed"
					.formatted(place.part().text()));
		text = checked("text", text);
		Assert.notNull(after, "'after' must not be null; begin with an empty text");
	}

	private static @Nullable String checked(String what, @Nullable String value) {
		Assert.isTrue(value == null || StringUtils.hasText(value),
				() -> "'" + what + "' must not be empty; leave it out to ask for any");
		Assert.isTrue(value == null || value.length() <= LONGEST,
				() -> "'" + what + "' must not be longer than " + LONGEST + " characters");
		return value;
	}

	/** Create a query for all jobs in one place, with 50 jobs on each page. */
	public static JobQuery of(JobPlace place) {
		return new JobQuery(place, null, null, null, null, null, null, null, 50, "");
	}

	/** Return a copy of this query for one queue; {@code null} for all queues. */
	public JobQuery queue(@Nullable String queue) {
		return new JobQuery(this.place, queue, this.name, this.id, this.tag, this.error, this.text, this.times,
				this.size, this.after);
	}

	/**
	 * Return a copy of this query, restricted to jobs whose names match a pattern such as
	 * {@code Invoice*}; {@code null} for any name.
	 */
	public JobQuery name(@Nullable String name) {
		return new JobQuery(this.place, this.queue, name, this.id, this.tag, this.error, this.text, this.times,
				this.size, this.after);
	}

	/** Return a copy for ids that begin with a text; {@code null} for any id. */
	public JobQuery id(@Nullable String id) {
		return new JobQuery(this.place, this.queue, this.name, id, this.tag, this.error, this.text, this.times,
				this.size, this.after);
	}

	/** Return a copy of this query for jobs with a tag; {@code null} for all jobs. */
	public JobQuery tag(@Nullable String tag) {
		return new JobQuery(this.place, this.queue, this.name, this.id, tag, this.error, this.text, this.times,
				this.size, this.after);
	}

	/**
	 * Return a copy of this query, restricted to jobs whose last failure has a class that
	 * matches a pattern such as {@code java.net.*}; {@code null} for all jobs.
	 * @throws IllegalArgumentException if the query is not for retries or dead jobs
	 */
	public JobQuery error(@Nullable String error) {
		return new JobQuery(this.place, this.queue, this.name, this.id, this.tag, error, this.text, this.times,
				this.size, this.after);
	}

	/**
	 * Return a copy of this query, restricted to jobs whose stored data contains a text;
	 * {@code null} for all jobs.
	 */
	public JobQuery text(@Nullable String text) {
		return new JobQuery(this.place, this.queue, this.name, this.id, this.tag, this.error, text, this.times,
				this.size, this.after);
	}

	/**
	 * Return a copy of this query, restricted to a period of time: to scheduled jobs and
	 * retries that are due in the period, dead jobs that died in it or, in all other
	 * places, jobs that were enqueued in it.
	 * @param from the beginning, inclusive; {@code null} for no beginning
	 * @param to the end, exclusive; {@code null} for no end
	 */
	public JobQuery between(@Nullable Instant from, @Nullable Instant to) {
		TimeRange range = (from != null || to != null) ? new TimeRange(from, to) : null;
		return new JobQuery(this.place, this.queue, this.name, this.id, this.tag, this.error, this.text, range,
				this.size, this.after);
	}

	/** Return a copy with the given page size, 1 to {@value #MOST_AT_ONCE}. */
	public JobQuery size(int size) {
		return new JobQuery(this.place, this.queue, this.name, this.id, this.tag, this.error, this.text, this.times,
				size, this.after);
	}

	/**
	 * Return a copy of this query for the page that begins at {@link JobPage#next()};
	 * empty for the first page.
	 */
	public JobQuery after(String after) {
		return new JobQuery(this.place, this.queue, this.name, this.id, this.tag, this.error, this.text, this.times,
				this.size, after);
	}

	/** Return the place and the filters that are set, each by its name. */
	Map<String, String> parts() {
		Map<String, @Nullable Object> all = new LinkedHashMap<>();
		all.put("place", this.place.part().text());
		all.put("queue", this.queue);
		all.put("name", this.name);
		all.put("id", this.id);
		all.put("tag", this.tag);
		all.put("error", this.error);
		all.put("text", this.text);
		all.put("from", (this.times != null) ? this.times.from() : null);
		all.put("until", (this.times != null) ? this.times.to() : null);
		Map<String, String> parts = new LinkedHashMap<>();
		all.forEach((name, value) -> {
			if (value != null) {
				parts.put(name, value.toString());
			}
		});
		return parts;
	}

	/** Return whether payloads must be read to determine which jobs match. */
	boolean isFiltered() {
		return this.name != null || this.id != null || this.tag != null || this.error != null || this.text != null
				|| (this.times != null && !this.place.isSorted());
	}

	/**
	 * Create a regular expression from a pattern in which {@code *} stands for any
	 * characters and {@code ?} for a single character. A match takes at most as many
	 * steps as the length of the pattern times the length of the text, because only the
	 * last {@code *} is ever tried again.
	 */
	static Pattern pattern(String pattern) {
		String[] parts = pattern.split("\\*", -1);
		StringBuilder expression = new StringBuilder();
		for (int i = 0; i < parts.length; i++) {
			String part = Pattern.quote(parts[i]).replace("?", "\\E.\\Q");
			// A star and the part after it never give up text that they have matched.
			expression.append((i == 0) ? part : (i == parts.length - 1) ? ".*" + part : "(?>.*?" + part + ")");
		}
		return Pattern.compile(expression.toString(), Pattern.DOTALL);
	}

	/** Create a filter for jobs. One filter is enough for a whole page. */
	Filter filter() {
		return new Filter(this);
	}

	/**
	 * A period of time, with a beginning, an end or both.
	 *
	 * @param from the beginning, inclusive; {@code null} for no beginning
	 * @param to the end, exclusive; {@code null} for no end
	 */
	public record TimeRange(@Nullable Instant from, @Nullable Instant to) {

		private static final Instant LATEST = Instant.parse("9999-12-31T23:59:59Z");

		public TimeRange {
			check("from", from);
			check("to", to);
		}

		private static void check(String what, @Nullable Instant time) {
			Assert.isTrue(time == null || (!time.isBefore(Instant.EPOCH) && !time.isAfter(LATEST)),
					() -> "'%s' must be a time in the years 1970 to 9999, but is %s".formatted(what, time));
		}

		boolean contains(Instant time) {
			return (this.from == null || !time.isBefore(this.from)) && (this.to == null || time.isBefore(this.to));
		}

	}

	/** Decides whether a job matches. */
	static final class Filter {

		private final JobQuery query;

		private final @Nullable Pattern name;

		private final @Nullable Pattern error;

		private final @Nullable String text;

		private Filter(JobQuery query) {
			this.query = query;
			this.name = (query.name != null) ? pattern(query.name) : null;
			this.error = (query.error != null) ? pattern(query.error) : null;
			this.text = (query.text != null) ? query.text.toLowerCase(Locale.ROOT) : null;
		}

		boolean matches(JobEntry job, String stored) {
			if (this.query.id != null && !job.id().startsWith(this.query.id)) {
				return false;
			}
			if (this.query.times != null && !job.place().isSorted()
					&& (job.payload() == null || !this.query.times.contains(job.payload().enqueuedAt()))) {
				return false;
			}
			if (this.name != null && (job.payload() == null || !this.name.matcher(job.payload().name()).matches())) {
				return false;
			}
			if (this.query.tag != null && (job.payload() == null || !job.payload().tags().contains(this.query.tag))) {
				return false;
			}
			if (this.error != null && (job.payload() == null || job.payload().errorClass() == null
					|| !this.error.matcher(job.payload().errorClass()).matches())) {
				return false;
			}
			return this.text == null || stored.toLowerCase(Locale.ROOT).contains(this.text);
		}

	}

}
