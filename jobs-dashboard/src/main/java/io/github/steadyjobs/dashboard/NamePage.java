package io.github.steadyjobs.dashboard;

import java.time.Instant;
import java.util.List;

import io.github.steadyjobs.admin.JobHistory;
import io.github.steadyjobs.admin.JobPause;
import io.github.steadyjobs.admin.JobPlace;
import io.github.steadyjobs.dashboard.Snapshot.Running;
import org.jspecify.annotations.Nullable;

/**
 * Shows the jobs of one name: their runs, their durations, and the running jobs.
 */
final class NamePage extends Page {

	static final String NAME = "name";

	private static final int MOST_RUNNING = 10;

	private final Samples samples;

	private final JobHistory history;

	NamePage(Samples samples, JobHistory history) {
		super(NAME, Area.NAMES);
		this.samples = samples;
		this.history = history;
	}

	static String address(String name) {
		return Address.of(NAME, "name", name);
	}

	@Override
	View view(Visit visit) {
		String name = visit.required("name");
		Snapshot snapshot = Snapshot.of(this.samples);
		Throughput throughput = Throughput.of(name,
				visit.oneOf("period", Period.HOUR).read(this.history, name, Instant.now()));
		List<Running> running = snapshot.running()
			.stream()
			.filter((run) -> run.run().job().equals(name))
			.limit(MOST_RUNNING)
			.toList();
		OfName model = new OfName(name, throughput, Histogram.of(throughput.total()), running,
				snapshot.pauseOf(JobPause.Kind.JOB, name));
		return new View("name", Plain.line(name), model, snapshot.processes(), snapshot.pauses());
	}

	/**
	 * The data that the page shows.
	 *
	 * @param throughput the runs of the period
	 * @param histogram the durations of these runs
	 * @param running the jobs that are running, the longest first
	 * @param pause the pause of these jobs, {@code null} if they are not paused
	 */
	record OfName(String name, Throughput throughput, List<Histogram> histogram, List<Running> running,
			@Nullable JobPause pause) {

		List<JobPlace> places() {
			return QueuePage.PLACES;
		}

		/** Return the address of the list of these jobs in a place. */
		String list(JobPlace place) {
			return Address.of(Area.JOBS.page(), "place", Visit.text(place), "name", this.name);
		}

	}

}
