package io.github.steadyjobs.benchmarks.chaos;

import java.util.EnumSet;
import java.util.List;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link FaultPlan}.
 */
class FaultPlanTests {

	private static final String ALL = Fault.DEFAULTS + ",stop,slow,master-kill,older-data";

	@Test
	void drawWhenSeedIsTheSameGivesTheSamePlan() {
		assertThat(draw("--seed", "7")).isEqualTo(draw("--seed", "7")).isNotEqualTo(draw("--seed", "8"));
	}

	@Test
	void drawWhenFaultsAreNamedInAnotherOrderGivesTheSamePlan() {
		assertThat(draw("--faults", "cut,kill")).isEqualTo(draw("--faults", "kill,cut"));
	}

	@Test
	void drawWhenThereIsTimeDrawsEveryFaultWithinIt() {
		List<PlannedFault> plan = draw("--faults", ALL, "--seconds", "60");
		assertThat(plan).extracting(PlannedFault::fault).containsAll(EnumSet.allOf(Fault.class));
		assertThat(plan).extracting(PlannedFault::at).isSorted().allMatch((at) -> at < 60_000);
	}

	@Test
	void drawWhenWorkersAreTakenAwayLeavesOne() {
		List<PlannedFault> plan = draw("--faults", "kill,pause", "--workers", "2", "--spare", "0", "--seconds", "300");
		for (int i = 1; i < plan.size(); i++) {
			PlannedFault before = plan.get(i - 1);
			PlannedFault next = plan.get(i);
			assertThat(next.target() != before.target() && next.at() < before.at() + before.length())
				.as("%s during %s", next, before)
				.isFalse();
		}
	}

	@Test
	void drawWhenWorkerIsSparedTakesOnlyTheOthersAway() {
		List<PlannedFault> plan = draw("--faults", "kill,stop,pause", "--seconds", "300");
		assertThat(plan).extracting(PlannedFault::target).contains(0, 1).doesNotContain(2);
	}

	@Test
	void drawWhenPauseIsGivenPausesForThatLong() {
		assertThat(draw("--faults", "pause", "--pause", "60s", "--seconds", "300")).extracting(PlannedFault::length)
			.contains(60_000L)
			.allMatch((length) -> length == 60_000 || length < 3000);
	}

	@Test
	void drawWhenThereAreNoFaultsIsEmpty() {
		assertThat(draw("--faults", "none")).isEmpty();
	}

	private static List<PlannedFault> draw(String... options) {
		return FaultPlan.draw(ChaosOptions.parse(options));
	}

}
