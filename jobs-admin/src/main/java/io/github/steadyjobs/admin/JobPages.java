package io.github.steadyjobs.admin;

import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.BiConsumer;
import java.util.function.Function;
import java.util.regex.Pattern;

import io.github.steadyjobs.admin.AdminStore.Listing;
import io.github.steadyjobs.admin.JobQuery.TimeRange;
import io.github.steadyjobs.redis.PayloadCodec;
import org.jspecify.annotations.Nullable;

import org.springframework.util.Assert;

/**
 * Walks through the jobs of one place, across all queues and shards. Each step usually
 * costs one round trip for ids and one for payloads. Thread safe.
 * <p>
 * Jobs with a time are listed in the order of that time, across all queues, and the
 * cursor is the time and the id of the last job. Other jobs are listed queue by queue,
 * and the cursor is the queue and the cursor of {@code browse.lua}.
 */
final class JobPages {

	/** Maximum number of jobs that are examined for one page. */
	static final int MOST_EXAMINED = 5000;

	private static final int STEP = 500;

	/**
	 * Number of queues that are queried together if jobs are listed queue by queue. More
	 * would often be useless, because the first queues may already fill the page.
	 */
	private static final int QUEUES_AT_ONCE = 16;

	/** Minimum number of jobs to request from each queue. */
	private static final int LEAST_ASKED = 16;

	private static final Pattern IN_LISTS = Pattern.compile("|\\S+ \\d{0,12}");

	private static final Pattern IN_HASHES = Pattern.compile("|\\S+ (@\\d{1,19}|[^@\\s]\\S*)?");

	private static final Pattern IN_TIME = Pattern.compile("|-?\\d{1,20}(\\.\\d{1,20})? \\S+");

	/** A text that sorts before all ids. */
	private static final String FIRST_ID = "!";

	private final AdminStore store;

	private final PayloadCodec codec;

	JobPages(AdminStore store, PayloadCodec codec) {
		this.store = store;
		this.codec = codec;
	}

	/**
	 * Read a page.
	 * @param each takes the queue or shard of each job on the page, and the job
	 */
	JobPage page(JobQuery query, BiConsumer<String, JobEntry> each) {
		JobQuery.Filter filter = query.filter();
		List<JobEntry> found = new ArrayList<>();
		Steps steps = new Steps(query);
		int examined = 0;
		do {
			List<Candidate> candidates = steps
				.next(query.isFiltered() ? Math.min(STEP, MOST_EXAMINED - examined) : query.size());
			Map<String, byte @Nullable []> payloads = read(candidates);
			for (int i = 0; i < candidates.size(); i++) {
				Candidate candidate = candidates.get(i);
				if (!payloads.containsKey(candidate.id())) {
					if (i == 0 || candidates.get(i - 1).after() != null) {
						break;
					}
					payloads.putAll(read(candidates.subList(i, candidates.size())));
				}
				examined++;
				byte[] stored = payloads.get(candidate.id());
				// A job without a payload has been cancelled, and only its entry is left.
				JobEntry job = (stored != null) ? candidate.entry(query.place(), stored, this.codec) : null;
				if (job != null && filter.matches(job, new String(stored, StandardCharsets.UTF_8))) {
					found.add(job);
					each.accept(candidate.part(), job);
				}
				if (steps.passed(candidate) && found.size() >= query.size()) {
					return new JobPage(found, examined, steps.cursor);
				}
			}
		}
		while (query.isFiltered() && !steps.cursor.isEmpty() && examined < MOST_EXAMINED);
		return new JobPage(found, examined, steps.cursor);
	}

	/**
	 * Adjust a cursor when jobs that precede it have been taken out of a list, and the
	 * later jobs have therefore moved up.
	 */
	static String withoutTaken(String cursor, String part, int taken) {
		String[] position = cursor.split(" ", 2);
		boolean isInside = position.length > 1 && position[0].equals(part) && !position[1].isEmpty();
		return isInside ? part + " " + (Long.parseLong(position[1]) - taken) : cursor;
	}

	private Map<String, byte @Nullable []> read(List<Candidate> candidates) {
		Map<String, List<String>> ids = new LinkedHashMap<>();
		candidates.forEach(
				(candidate) -> ids.computeIfAbsent(candidate.part(), (part) -> new ArrayList<>()).add(candidate.id()));
		return ids.isEmpty() ? new HashMap<>() : this.store.read(ids);
	}

	/** Begin a walk for which no payloads are read. */
	Steps steps(JobQuery query) {
		return new Steps(query);
	}

	/**
	 * A job that was listed but has not been read yet.
	 *
	 * @param detail the time or value of the job in its place, or an empty text
	 * @param after the cursor of the page that begins after this job; empty if no job
	 * follows, {@code null} if no page can begin there
	 */
	record Candidate(String id, String part, String detail, @Nullable String after) {

		/** Return when the job is due or died, in milliseconds since the epoch. */
		double time() {
			return Double.parseDouble(this.detail);
		}

		/** Return whether the page after this job begins with another queue. */
		boolean endsQueue() {
			return this.after != null && this.after.endsWith(" ");
		}

		Candidate withoutNext() {
			return new Candidate(this.id, this.part, this.detail, "");
		}

		JobEntry entry(JobPlace place, byte[] stored, PayloadCodec codec) {
			return JobEntry.of(this.id, this.part, place, this.detail, stored, codec);
		}

	}

	/** A walk through the jobs of one place. Not thread safe. */
	final class Steps {

		private final JobPlace place;

		private final List<String> parts;

		private final @Nullable TimeRange times;

		private String cursor;

		private Steps(JobQuery query) {
			this.place = query.place();
			this.cursor = query.after();
			// Reject an invalid cursor here; otherwise Redis would answer with an
			// unrelated error.
			Pattern pattern = this.place.isSorted() ? IN_TIME : this.place.isList() ? IN_LISTS : IN_HASHES;
			Assert.isTrue(pattern.matcher(this.cursor).matches(),
					() -> "'after' must be 'next' of the previous page, but is '" + query.after() + "'");
			this.parts = JobPages.this.store.parts(query.queue());
			this.times = this.place.isSorted() ? query.times() : null;
			skipTo((this.times == null) ? null : (this.place == JobPlace.DEAD) ? this.times.to() : this.times.from());
		}

		/** Move the cursor to a time, unless it is already beyond that time. */
		private void skipTo(@Nullable Instant time) {
			if (time == null) {
				return;
			}
			Candidate first = new Candidate(FIRST_ID, "", Long.toString(time.toEpochMilli()), null);
			String[] position = this.cursor.split(" ", 2);
			if (position.length < 2 || order().compare(new Candidate(position[1], "", position[0], null), first) < 0) {
				this.cursor = first.detail() + " " + first.id();
			}
		}

		/** Return the order in which jobs with a time are listed. */
		private Comparator<Candidate> order() {
			Comparator<Candidate> order = Comparator.comparingDouble(Candidate::time).thenComparing(Candidate::id);
			return (this.place == JobPlace.DEAD) ? order.reversed() : order;
		}

		private boolean isInTime(Candidate candidate) {
			return this.times == null || this.times.contains(Instant.ofEpochMilli((long) candidate.time()));
		}

		String cursor() {
			return this.cursor;
		}

		/**
		 * Record that a job has been handled.
		 * @return whether a page may end after the job
		 */
		boolean passed(Candidate candidate) {
			if (candidate.after() != null) {
				this.cursor = candidate.after();
			}
			return candidate.after() != null;
		}

		/**
		 * List the next jobs after the cursor.
		 * @param wanted the approximate number of jobs
		 * @return the jobs; empty only after the last job
		 */
		List<Candidate> next(int wanted) {
			List<Candidate> candidates = this.place.isSorted() ? byTime(wanted) : byQueue(wanted);
			if (candidates.isEmpty()) {
				this.cursor = "";
			}
			return candidates;
		}

		private List<Candidate> byTime(int wanted) {
			// Each queue is asked for more than an equal share, because one queue may
			// have most of the next jobs.
			int each = Math.min(wanted, Math.max(LEAST_ASKED, 4 * wanted / Math.max(1, this.parts.size())));
			Map<String, Listing> listings = browse(this.parts, (part) -> this.cursor, each);
			Comparator<Candidate> order = order();
			List<Candidate> all = new ArrayList<>();
			Candidate limit = null;
			for (Map.Entry<String, Listing> listing : listings.entrySet()) {
				listing.getValue()
					.jobs()
					.forEach((id, time) -> all.add(new Candidate(id, listing.getKey(), time, time + " " + id)));
				if (!listing.getValue().next().isEmpty()) {
					Candidate last = all.get(all.size() - 1);
					limit = (limit == null || order.compare(last, limit) < 0) ? last : limit;
				}
			}
			all.sort(order);
			// If a queue has more jobs, its next jobs may come before the jobs of other
			// queues.
			int end = Math.min(wanted, (limit != null) ? all.indexOf(limit) + 1 : all.size());
			List<Candidate> candidates = new ArrayList<>(
					all.subList(0, end).stream().takeWhile(this::isInTime).toList());
			boolean isLast = candidates.size() < end || (limit == null && end == all.size());
			if (isLast && !candidates.isEmpty()) {
				endAfterLast(candidates);
			}
			return candidates;
		}

		private List<Candidate> byQueue(int wanted) {
			String[] position = this.cursor.split(" ", 2);
			List<String> left = this.parts.stream().filter((part) -> part.compareTo(position[0]) >= 0).toList();
			Function<String, String> begin = (part) -> (position.length > 1 && part.equals(position[0])) ? position[1]
					: "";
			List<Candidate> candidates = new ArrayList<>();
			while (!left.isEmpty() && candidates.isEmpty()) {
				List<String> asked = left.subList(0, Math.min(QUEUES_AT_ONCE, left.size()));
				Iterator<String> next = left.subList(1, left.size()).iterator();
				for (Map.Entry<String, Listing> listing : browse(asked, begin, wanted).entrySet()) {
					String following = next.hasNext() ? next.next() + " " : "";
					if (candidates.size() < wanted) {
						String part = listing.getKey();
						Listing found = untilSome(part, listing.getValue(), wanted);
						candidates.addAll(ofQueue(part, found, begin.apply(part), following));
					}
				}
				left = left.subList(asked.size(), left.size());
			}
			// If no queue is left, the queues after that of the last job have no jobs.
			boolean isLast = left.isEmpty() && candidates.size() < wanted;
			if (isLast && !candidates.isEmpty() && candidates.get(candidates.size() - 1).endsQueue()) {
				endAfterLast(candidates);
			}
			return candidates;
		}

		private static void endAfterLast(List<Candidate> candidates) {
			int last = candidates.size() - 1;
			candidates.set(last, candidates.get(last).withoutNext());
		}

		/**
		 * Continue a scan that finds no jobs in a hash because many of its entries were
		 * deleted.
		 */
		private Listing untilSome(String part, Listing listing, int wanted) {
			Listing found = listing;
			while (found.jobs().isEmpty() && found.next().startsWith("@") && !found.next().equals("@0")) {
				String next = found.next();
				found = browse(List.of(part), (same) -> next, wanted).getOrDefault(part, new Listing("", Map.of()));
			}
			return found;
		}

		/**
		 * Return a queue's jobs. {@code following} is the cursor of the next queue; empty
		 * if this queue is the last one.
		 */
		private List<Candidate> ofQueue(String part, Listing listing, String from, String following) {
			boolean scanned = listing.next().startsWith("@");
			boolean isLast = listing.next().isEmpty() || listing.next().equals("@0");
			List<Candidate> candidates = new ArrayList<>();
			long passed = this.place.isList() && !from.isEmpty() ? Long.parseLong(from) : 0;
			for (Map.Entry<String, String> job : listing.jobs().entrySet()) {
				passed++;
				String after = part + " " + (this.place.isList() ? Long.toString(passed) : job.getKey());
				if (candidates.size() == listing.jobs().size() - 1) {
					after = isLast ? following : part + " " + listing.next();
				}
				else if (scanned) {
					after = null;
				}
				candidates.add(new Candidate(job.getKey(), part, job.getValue(), after));
			}
			return candidates;
		}

		private Map<String, Listing> browse(List<String> parts, Function<String, String> after, int wanted) {
			return JobPages.this.store.browse(this.place.part(), parts, after, wanted);
		}

	}

}
