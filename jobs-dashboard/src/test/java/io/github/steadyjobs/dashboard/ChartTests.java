package io.github.steadyjobs.dashboard;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

import io.github.steadyjobs.admin.JobHistory.Mark;
import io.github.steadyjobs.admin.RunTotals;
import io.github.steadyjobs.dashboard.Chart.Column;
import io.github.steadyjobs.dashboard.Chart.Part;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link Chart}.
 */
class ChartTests {

	private static final Instant BEGIN = Instant.parse("2026-01-01T12:00:00Z");

	@ParameterizedTest
	@CsvSource({ "0, 4", "1, 4", "4, 4", "5, 6", "7, 8", "10, 10", "11, 12", "13, 16", "21, 24", "61, 80", "81, 100",
			"100, 100", "101, 120", "1003, 1200", "999999, 1000000", "3000000000, 3000000000" })
	void roundUpGivesANumberThatCanBeHalved(long number, long rounded) {
		assertThat(Chart.roundUp(number)).isEqualTo(rounded);
		assertThat(rounded % 2).isZero();
	}

	@Test
	void columnsHaveTheHeightOfWhatHasRun() {
		Chart chart = chart(List.of(), runs(10, 0), RunTotals.NONE, runs(10, 5));
		assertThat(chart.top()).isEqualTo(10);
		assertThat(chart.columns()).containsExactly(
				new Column(1, BEGIN, runs(10, 0), new Part("1.0", "99.0"), new Part("100.0", "0.0")),
				new Column(21, BEGIN.plusSeconds(120), runs(10, 5), new Part("1.0", "49.5"), new Part("50.5", "49.5")));
	}

	@Test
	void columnsShowASingleFailureOfMany() {
		assertThat(chart(List.of(), runs(100_000, 1)).columns()).singleElement()
			.extracting(Column::failed)
			.isEqualTo(new Part("99.0", "1.0"));
	}

	@Test
	void marksAreWhereTheirTimesAre() {
		Chart chart = chart(List.of(new Mark(BEGIN.plusSeconds(90), "shop 2")), runs(1, 0));
		assertThat(chart.width()).isEqualTo(600);
		assertThat(chart.marks()).singleElement().extracting(Chart.Line::x).isEqualTo("15.0");
	}

	@Test
	void labelsGoFromTheBeginningToTheEnd() {
		assertThat(chart(List.of()).labels()).containsExactly(BEGIN, BEGIN.plus(Duration.ofMinutes(15)),
				BEGIN.plus(Duration.ofMinutes(30)), BEGIN.plus(Duration.ofMinutes(45)),
				BEGIN.plus(Duration.ofMinutes(60)));
	}

	private static Chart chart(List<Mark> marks, RunTotals... first) {
		List<RunTotals> columns = new ArrayList<>(Collections.nCopies(60, RunTotals.NONE));
		for (int i = 0; i < first.length; i++) {
			columns.set(i, first[i]);
		}
		return new Chart(new Runs(Period.HOUR, BEGIN, columns, marks));
	}

	private static RunTotals runs(long runs, long failed) {
		List<Long> histogram = new ArrayList<>(Collections.nCopies(RunTotals.classes().size(), 0L));
		histogram.set(0, runs);
		return new RunTotals(runs, failed, 0, 0, Duration.ZERO, runs, Duration.ZERO, histogram);
	}

}
