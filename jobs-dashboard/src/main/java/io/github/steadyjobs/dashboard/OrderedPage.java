package io.github.steadyjobs.dashboard;

import java.time.Duration;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

import io.github.steadyjobs.admin.JobAdmin;
import io.github.steadyjobs.admin.JobEntry;
import io.github.steadyjobs.admin.JobPlace;
import io.github.steadyjobs.admin.JobQuery;
import io.github.steadyjobs.admin.JobView;
import io.github.steadyjobs.admin.OrderedJobs;
import io.github.steadyjobs.admin.OrderedKey;

/**
 * Shows ordered jobs: keys that lag behind, and dead payloads.
 */
final class OrderedPage extends Page {

	private static final int MOST_KEYS = 50;

	private static final int MOST_DEAD = 200;

	private final JobAdmin admin;

	private final OrderedJobs ordered;

	private final JobView views;

	OrderedPage(JobAdmin admin, OrderedJobs ordered, JobView views) {
		super(Area.ORDERED);
		this.admin = admin;
		this.ordered = ordered;
		this.views = views;
	}

	static String address(String queue) {
		return Address.of(Area.ORDERED.page(), "queue", queue);
	}

	@Override
	View view(Visit visit) {
		List<String> queues = this.ordered.queues();
		String asked = visit.text("queue");
		if (asked != null && !queues.contains(asked)) {
			throw RefusedException.notFound("refused.ordered", Plain.line(asked)).backTo(Area.ORDERED.address());
		}
		Instant now = Instant.now();
		String queue = (asked != null) ? asked : queues.isEmpty() ? "" : queues.get(0);
		boolean showsValues = visit.viewer().seesValues();
		List<Key> keys = queue.isEmpty() ? List.of()
				: this.ordered.keys(queue, MOST_KEYS)
					.stream()
					.map((key) -> new Key(key, JobRow.of(key.job(), this.views, showsValues), key.lag(now)))
					.toList();
		Ordered model = new Ordered(queues, queue, keys, queue.isEmpty() ? List.of() : dead(queue, showsValues));
		return new View("ordered", Area.ORDERED.title(), model, new Reading<>(model, now, null));
	}

	/** Return the payloads that died most recently, grouped by key. */
	private List<Dead> dead(String queue, boolean showsValues) {
		Map<String, Dead> dead = new LinkedHashMap<>();
		for (JobEntry job : this.admin.page(JobQuery.of(JobPlace.DEAD).queue(queue).size(MOST_DEAD)).jobs()) {
			if (job.payload() != null && job.payload().key() != null) {
				JobRow row = JobRow.of(job, this.views, showsValues);
				dead.merge(job.payload().name() + " " + job.payload().key(),
						new Dead(row, 1, job.payload().key().equals(row.view().get("key")) ? job.payload().key() : ""),
						Dead::plus);
			}
		}
		return List.copyOf(dead.values());
	}

	/**
	 * The data that the page shows.
	 *
	 * @param queues all queues of ordered jobs
	 * @param queue the queue that is shown, empty if there is no such queue
	 * @param keys the keys of this queue, the one with the longest lag first
	 * @param dead the dead payloads of this queue, the latest first
	 */
	record Ordered(List<String> queues, String queue, List<Key> keys, List<Dead> dead) {

		String listOfDead() {
			return Address.of(Area.JOBS.page(), "place", Visit.text(JobPlace.DEAD), "queue", this.queue);
		}

	}

	/** A key of ordered jobs, with the time that it lags. */
	record Key(OrderedKey key, JobRow row, Duration lag) {

		/** Return the key in the form in which the viewer may see it. */
		String title() {
			return Plain.line(String.valueOf(this.row.view().getOrDefault("key", "")));
		}

		String place() {
			return Visit.text(this.key.job().place());
		}

		boolean hasFailed() {
			return this.row.attempts() > 0;
		}

	}

	/**
	 * Dead payloads of a key.
	 *
	 * @param latest the payload that died last
	 * @param count the number of dead payloads
	 * @param key the key, empty if the viewer may not see it
	 */
	record Dead(JobRow latest, int count, String key) {

		Dead plus(Dead earlier) {
			return new Dead(this.latest, this.count + earlier.count, this.key);
		}

		String title() {
			return Plain.line(String.valueOf(this.latest.view().getOrDefault("key", "")));
		}

	}

}
