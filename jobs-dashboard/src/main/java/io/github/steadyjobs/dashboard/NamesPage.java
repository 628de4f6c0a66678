package io.github.steadyjobs.dashboard;

import java.time.Duration;
import java.time.Instant;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;

import io.github.steadyjobs.admin.JobHistory;
import io.github.steadyjobs.admin.JobHistory.OfJob;
import io.github.steadyjobs.admin.RunTotals;

/**
 * Shows the runs of a period, by job name.
 */
final class NamesPage extends Page {

	private static final List<Period> PERIODS = List.of(Period.HOUR, Period.DAY);

	private final Map<Period, Sample<List<OfJob>>> samples = new EnumMap<>(Period.class);

	NamesPage(Samples samples, JobHistory history) {
		super(Area.NAMES);
		for (Period period : PERIODS) {
			this.samples.put(period, samples.keep(period.kept(), () -> {
				Instant now = Instant.now();
				return history.names(period.begin(now), now);
			}));
		}
	}

	@Override
	View view(Visit visit) {
		Period period = visit.oneOf("period", Period.HOUR);
		Sort sort = visit.oneOf("sort", Sort.TIME);
		if (!PERIODS.contains(period)) {
			throw RefusedException.badRequest("refused.choice", "period", "hour, day");
		}
		Reading<List<OfJob>> reading = Objects.requireNonNull(this.samples.get(period)).readIfPossible();
		if (reading == null) {
			throw RefusedException.notFound("throughput.unknown");
		}
		Duration all = reading.value().stream().map((job) -> job.totals().ran()).reduce(Duration.ZERO, Duration::plus);
		List<Row> rows = reading.value()
			.stream()
			.map((job) -> new Row(job.name(), job.totals(), all, period))
			.sorted(sort.order)
			.toList();
		return new View("names", Area.NAMES.title(), new Names(period, sort, rows), reading);
	}

	/** The data that the page shows. */
	record Names(Period period, Sort sort, List<Row> rows) {

		List<Period> periods() {
			return PERIODS;
		}

		String address(Period period, Sort sort) {
			return Address.of(Area.NAMES.page(), "period", Visit.text(period), "sort", Visit.text(sort));
		}

	}

	/**
	 * The runs of one job name.
	 *
	 * @param all the total duration of the runs of all names
	 */
	record Row(String name, RunTotals totals, Duration all, Period period) {

		String address() {
			return Address.of(NamePage.NAME, "name", this.name, "period", Visit.text(this.period));
		}

		/** Return the duration of these runs, in percent of the total of all names. */
		int share() {
			return this.all.isZero() ? 0 : (int) (100 * this.totals.ran().toMillis() / this.all.toMillis());
		}

		Duration slow() {
			return this.totals.percentile(0.95);
		}

	}

	/** The order of the rows. */
	enum Sort {

		/** By total duration, the longest first. */
		TIME(Comparator.comparing((Row row) -> row.totals().ran())),

		/** By number of runs, the largest first. */
		RUNS(Comparator.comparing((Row row) -> row.totals().runs())),

		/** By number of failures, the largest first. */
		FAILED(Comparator.comparing((Row row) -> row.totals().failed())),

		/** By duration of slow runs, the slowest first. */
		SLOWEST(Comparator.comparing(Row::slow));

		private final Comparator<Row> order;

		Sort(Comparator<Row> order) {
			this.order = order.reversed().thenComparing(Row::name);
		}

	}

}
