package io.github.steadyjobs.benchmarks.chaos;

import java.util.Arrays;
import java.util.List;

import io.github.steadyjobs.benchmarks.chaos.Incident.Kind;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link Ownership} with the default times: a process is declared dead after 30
 * s.
 */
class OwnershipTests {

	private static final Run RUN = new Run(0, 1, "id1", 7, 10_000, 10_100, Run.Ending.DONE);

	private static final Run CUT_SHORT = new Run(0, 1, "id1", 7, 10_000, Run.NEVER, Run.Ending.NONE);

	@Test
	void wasTakenWhenProcessIsKilledDuringRunIsTrue() {
		assertThat(wasTaken(new Incident(Kind.KILLED, 0, 10_050, 10_050))).isTrue();
	}

	@Test
	void wasTakenWhenProcessIsKilledBeforeRedisMayKnowIsTrue() {
		assertThat(wasTaken(new Incident(Kind.KILLED, 0, 10_500, 10_500))).isTrue();
	}

	@Test
	void wasTakenWhenProcessIsKilledLongAfterRunIsFalse() {
		assertThat(wasTaken(new Incident(Kind.KILLED, 0, 13_000, 13_000))).isFalse();
	}

	@Test
	void wasTakenWhenProcessIsKilledLongAfterRunButWasCutOffUntilThenIsTrue() {
		assertThat(
				wasTaken(new Incident(Kind.CUT_OFF, 0, 10_000, 12_500), new Incident(Kind.KILLED, 0, 13_000, 13_000)))
			.isTrue();
	}

	@Test
	void wasTakenWhenProcessIsPausedBrieflyIsFalse() {
		assertThat(wasTaken(new Incident(Kind.PAUSED, 0, 10_050, 13_000))).isFalse();
	}

	@Test
	void wasTakenWhenProcessIsPausedForLongIsTrue() {
		assertThat(wasTaken(new Incident(Kind.PAUSED, 0, 10_050, 50_000))).isTrue();
	}

	@Test
	void wasTakenWhenRunBeginsRightAfterLongPauseIsTrue() {
		Run claimedBefore = new Run(0, 1, "id1", 7, 50_015, 50_100, Run.Ending.DONE);
		assertThat(ownership(new Incident(Kind.PAUSED, 0, 10_050, 50_000)).wasTaken(claimedBefore)).isTrue();
	}

	@Test
	void wasTakenWhenRunBeginsRightAfterKillIsFalse() {
		Run ofSuccessor = new Run(0, 1, "id1", 7, 10_015, 10_100, Run.Ending.DONE);
		assertThat(ownership(new Incident(Kind.KILLED, 0, 10_000, 10_000)).wasTaken(ofSuccessor)).isFalse();
	}

	@Test
	void wasTakenWhenConnectionBreaksBrieflyIsFalse() {
		assertThat(wasTaken(new Incident(Kind.CUT_OFF, Incident.ALL, 10_050, 13_000))).isFalse();
	}

	@Test
	void killedWhenRunNeverEndedReturnsFirstKillAfterIt() {
		Ownership ownership = ownership(new Incident(Kind.KILLED, 0, 9_000, 9_000),
				new Incident(Kind.KILLED, 0, 60_000, 60_000), new Incident(Kind.KILLED, 0, 20_000, 20_000));
		assertThat(ownership.killed(CUT_SHORT)).hasValue(20_000);
	}

	@Test
	void heldUntilWhenProcessIsKilledDuringRunIsItsEnd() {
		assertThat(ownership(new Incident(Kind.KILLED, 0, 10_050, 10_050)).heldUntil(CUT_SHORT)).isEqualTo(10_050);
	}

	@Test
	void heldUntilWhenProcessIsPausedForLongIsTheMomentAtWhichItMayBeTakenForDead() {
		assertThat(ownership(new Incident(Kind.PAUSED, 0, 10_050, 50_000)).heldUntil(CUT_SHORT)).isEqualTo(30_050);
	}

	@Test
	void heldUntilWhenConnectionBreaksBrieflyHasNoEnd() {
		assertThat(ownership(new Incident(Kind.CUT_OFF, 0, 10_050, 13_000)).heldUntil(CUT_SHORT)).isEqualTo(Run.NEVER);
	}

	private static boolean wasTaken(Incident... incidents) {
		return ownership(incidents).wasTaken(RUN);
	}

	private static Ownership ownership(Incident... incidents) {
		List<Incident> all = Arrays.asList(incidents);
		return new Ownership(all, ChaosOptions.parse(new String[0]).timing());
	}

}
