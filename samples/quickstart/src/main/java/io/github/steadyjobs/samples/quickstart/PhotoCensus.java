package io.github.steadyjobs.samples.quickstart;

import java.io.IOException;
import java.time.Instant;
import java.util.List;
import java.util.NavigableMap;
import java.util.TreeMap;

import io.github.steadyjobs.Idempotent;
import io.github.steadyjobs.Job;
import io.github.steadyjobs.JobContext;
import io.github.steadyjobs.Recurring;
import io.github.steadyjobs.recurring.RecurringJob;

import org.springframework.stereotype.Component;

/**
 * Counts all photos every ten seconds, and keeps the results of the latest runs in this
 * process. It has a separate queue and worker, so that it runs on time however many
 * pictures there are to paint.
 */
@Component
class PhotoCensus {

	static final String NAME = "census";

	private static final int KEPT = 5;

	private final PhotoStore store;

	private final NavigableMap<Instant, Count> latest = new TreeMap<>();

	PhotoCensus(PhotoStore store) {
		this.store = store;
	}

	/**
	 * Count the photos. If a run is repeated for the same due time, its count replaces
	 * the earlier count.
	 */
	@Job(queue = NAME)
	@Idempotent
	@Recurring(name = NAME, every = "10s")
	void count(JobContext job) throws IOException {
		Instant began = Instant.now();
		// The job may have been enqueued by name, without a due time.
		String due = job.meta().getOrDefault(RecurringJob.META_DUE, began.toString());
		List<Photo> photos = this.store.findAll();
		keep(new Count(Instant.parse(due), began, photos.size(), photos.stream().filter(Photo::isReady).count()));
	}

	private synchronized void keep(Count count) {
		this.latest.put(count.due(), count);
		while (this.latest.size() > KEPT) {
			this.latest.pollFirstEntry();
		}
	}

	/**
	 * Return the latest counts, newest first.
	 */
	synchronized List<Count> latest() {
		return List.copyOf(this.latest.descendingMap().values());
	}

	/**
	 * The result of a run.
	 *
	 * @param due when the run was due
	 * @param began when the run began
	 * @param photos the number of photos
	 * @param ready the number of photos that have their thumbnails
	 */
	record Count(Instant due, Instant began, int photos, long ready) {

	}

}
