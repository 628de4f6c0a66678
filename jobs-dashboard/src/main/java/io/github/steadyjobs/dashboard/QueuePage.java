package io.github.steadyjobs.dashboard;

import java.util.List;

import io.github.steadyjobs.JobStoreException;
import io.github.steadyjobs.admin.JobAction;
import io.github.steadyjobs.admin.JobAdmin;
import io.github.steadyjobs.admin.JobPlace;
import io.github.steadyjobs.admin.JobQuery;
import io.github.steadyjobs.admin.JobView;
import io.github.steadyjobs.admin.QueueState;
import io.github.steadyjobs.dashboard.Snapshot.Running;
import io.github.steadyjobs.dashboard.Snapshot.Server;
import org.jspecify.annotations.Nullable;

/**
 * Shows a single queue: the number of its jobs in each place, the processes that serve
 * it, its running jobs, and the jobs that died last.
 */
final class QueuePage extends Page {

	static final String NAME = "queue";

	/** All places, in the order in which pages show them. */
	static final List<JobPlace> PLACES = List.of(JobPlace.READY, JobPlace.WORKING, JobPlace.SCHEDULED, JobPlace.RETRIES,
			JobPlace.PARKED, JobPlace.SUSPECTS, JobPlace.DEAD);

	private static final int MOST_DEAD = 5;

	private static final int MOST_RUNNING = 10;

	private final Samples samples;

	private final Limits limits;

	private final JobAdmin admin;

	private final JobView jobs;

	QueuePage(Samples samples, Limits limits, JobAdmin admin, JobView jobs) {
		super(NAME, Area.QUEUES);
		this.samples = samples;
		this.limits = limits;
		this.admin = admin;
		this.jobs = jobs;
	}

	static String address(String queue) {
		return Address.of(NAME, "name", queue);
	}

	@Override
	View view(Visit visit) {
		String name = visit.required("name");
		Snapshot snapshot = Snapshot.of(this.samples);
		QueueState state = find(snapshot, name);
		QueueRow row = QueueRow.of(state, snapshot, this.samples, this.limits, state.ready());
		List<Running> running = snapshot.running()
			.stream()
			.filter((run) -> run.run().queue().equals(name))
			.limit(MOST_RUNNING)
			.toList();
		List<JobRow> dead = (snapshot.queues().failure() == null) ? dead(name, visit.viewer().seesValues()) : null;
		return new View("queue", Words.of("queue.title", name), new Queue(row, snapshot.serversOf(name), running, dead),
				snapshot.queues(), snapshot.processes(), snapshot.pauses());
	}

	/**
	 * Find a queue.
	 * @throws RefusedException if there is no queue with this name
	 */
	static QueueState find(Snapshot snapshot, String name) {
		QueueState state = snapshot.queue(name);
		if (state == null) {
			throw RefusedException.notFound("refused.queue", Plain.line(name));
		}
		return state;
	}

	/** Return the jobs that died last, {@code null} if they cannot be read. */
	private @Nullable List<JobRow> dead(String queue, boolean showsValues) {
		try {
			return this.admin.page(JobQuery.of(JobPlace.DEAD).queue(queue).size(MOST_DEAD))
				.jobs()
				.stream()
				.map((job) -> JobRow.of(job, this.jobs, showsValues))
				.toList();
		}
		catch (JobStoreException ex) {
			return null;
		}
	}

	/**
	 * The data that the page shows.
	 *
	 * @param row the state of the queue
	 * @param servers the capsules that serve the queue
	 * @param running the running jobs of the queue, the longest first
	 * @param dead the jobs that died last, {@code null} if they cannot be read
	 */
	record Queue(QueueRow row, List<Server> servers, List<Running> running, @Nullable List<JobRow> dead) {

		/** Return each place with its number of jobs. */
		List<PlaceCount> places() {
			return PLACES.stream().map((place) -> new PlaceCount(place, this.row.state().count(place))).toList();
		}

	}

	/** A place, with the number of jobs that the queue has there. */
	record PlaceCount(JobPlace place, long count) {

		String css() {
			return Visit.text(this.place);
		}

		String title() {
			return Words.of("place." + css());
		}

		String hint() {
			return Words.of("place." + css() + ".hint");
		}

		/** Return the address of the list of these jobs. */
		String address(String queue) {
			return Address.of(Area.JOBS.page(), "place", css(), "queue", queue);
		}

		String retry(String queue) {
			return Address.of(BulkAction.name(JobAction.RETRY), "place", css(), "queue", queue);
		}

		boolean canBeRetried() {
			return this.count > 0 && JobAction.RETRY.places().contains(this.place);
		}

		boolean canBePurged() {
			return this.count > 0 && this.place != JobPlace.WORKING;
		}

	}

}
