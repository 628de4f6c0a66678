package io.github.steadyjobs.dashboard;

import java.util.Arrays;
import java.util.List;

import io.github.steadyjobs.admin.JobAction;
import io.github.steadyjobs.admin.JobAdmin;
import io.github.steadyjobs.admin.JobPage;
import io.github.steadyjobs.admin.JobPlace;
import io.github.steadyjobs.admin.JobView;
import io.github.steadyjobs.admin.QueueState;
import org.jspecify.annotations.Nullable;

import org.springframework.util.StringUtils;

/**
 * Lists the jobs in one place that match a filter, page by page.
 */
final class ListPage extends Page {

	private final Samples samples;

	private final JobAdmin admin;

	private final JobView views;

	ListPage(Samples samples, JobAdmin admin, JobView views) {
		super(Area.JOBS);
		this.samples = samples;
		this.admin = admin;
		this.views = views;
	}

	@Override
	View view(Visit visit) {
		JobFilter filter = JobFilter.of(visit);
		String after = visit.text("after");
		Snapshot snapshot = Snapshot.of(this.samples);
		JobPage page = this.admin.page(filter.query().after((after != null) ? after : ""));
		List<JobRow> rows = page.jobs()
			.stream()
			.map((job) -> JobRow.of(job, this.views, visit.viewer().seesValues()))
			.toList();
		Jobs model = new Jobs(filter, visit.viewer(), Place.all(filter, snapshot.queues().value()),
				snapshot.queues().value().stream().map(QueueState::name).toList(), rows, page, after);
		// Filtered lists, which examine thousands of jobs, and all pages but the first do
		// not refresh themselves.
		return (filter.isNarrow() || after != null) ? new View("list", Area.JOBS.title(), model)
				: new View("list", Area.JOBS.title(), model, snapshot.queues(), Reading.now(page));
	}

	/**
	 * The data that the page shows.
	 *
	 * @param filter the filter that selects the jobs
	 * @param places all places, each with its number of jobs
	 * @param queues the names of all queues
	 * @param rows the jobs of this page
	 * @param page the page as {@code JobAdmin} returned it
	 * @param after where this page begins, {@code null} for the first page
	 */
	record Jobs(JobFilter filter, Viewer viewer, List<Place> places, List<String> queues, List<JobRow> rows,
			JobPage page, @Nullable String after) {

		/** Return the actions that the viewer may take on all matching jobs. */
		List<JobAction> actions() {
			return Arrays.stream(JobAction.values())
				.filter((action) -> action.places().contains(this.filter.place())
						&& this.viewer.may(ChangeAction.role(action)))
				.toList();
		}

		/** Return in words how many jobs were found. */
		String found() {
			int count = this.rows.size();
			boolean isAll = this.after == null && !this.page.hasNext();
			return isAll ? Words.of("list.all", count)
					: Words.of("list.some", count, this.page.examined(), (this.page.examined() > count) ? 1 : 0);
		}

		String next() {
			return this.filter.address(Area.JOBS.page(), "after", this.page.next());
		}

		String first() {
			return this.filter.address(Area.JOBS.page());
		}

		/** Return the address of the same place without the rest of the filter. */
		String unfiltered() {
			return JobFilter.of(this.filter.place()).address(Area.JOBS.page());
		}

		/** Return whether failed jobs go to this place. */
		boolean hasFailures() {
			return JobFilter.FAILED.contains(this.filter.place());
		}

		/** Return the exception classes on this page, as proposals for the filter. */
		List<String> errorClasses() {
			return this.rows.stream().map(JobRow::errorClass).filter(StringUtils::hasText).distinct().sorted().toList();
		}

	}

	/** A place, with the number of its jobs in the queue or queues of the filter. */
	record Place(JobPlace place, String address, long count, boolean isChosen) {

		static List<Place> all(JobFilter filter, List<QueueState> queues) {
			return QueuePage.PLACES.stream()
				.map(filter::in)
				.map((there) -> new Place(there.place(), there.address(Area.JOBS.page()), there.total(queues),
						there.place() == filter.place()))
				.toList();
		}

		String css() {
			return Visit.text(this.place);
		}

		String title() {
			return Words.of("place." + css());
		}

	}

}
