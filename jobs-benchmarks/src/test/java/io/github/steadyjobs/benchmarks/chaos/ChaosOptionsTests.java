package io.github.steadyjobs.benchmarks.chaos;

import java.time.Duration;
import java.util.Set;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

/**
 * Tests for {@link ChaosOptions}.
 */
class ChaosOptionsTests {

	@Test
	void parseWhenNothingIsGivenTakesDefaults() {
		ChaosOptions options = parse();
		assertThat(options.load()).isEqualTo(new ChaosOptions.Load(20_000, 60, 42, Order.Lengths.VARIED, 25, 10, true));
		assertThat(options.fleet()).isEqualTo(new ChaosOptions.Fleet(3, 10, Duration.ofMillis(5), 1, null));
		assertThat(options.faults()).containsExactlyInAnyOrder(Fault.KILL, Fault.PAUSE, Fault.CUT, Fault.REDIS_RESTART,
				Fault.SCRIPT_FLUSH, Fault.CLIENT_KILL);
		assertThat(options.timing().deathAfter()).isEqualTo(Duration.ofSeconds(30));
		assertThat(options.keep()).isNull();
	}

	@Test
	void parseWhenRedisIsClusterKillsMastersInPlaceOfTheServer() {
		ChaosOptions options = parse("--redis", "cluster");
		assertThat(options.isCluster()).isTrue();
		assertThat(options.faults()).contains(Fault.MASTER_KILL).doesNotContain(Fault.REDIS_RESTART);
	}

	@Test
	void parseWhenFaultIsUnknownNamesThoseThereAre() {
		assertThatIllegalArgumentException().isThrownBy(() -> parse("--faults", "kill,fire"))
			.withMessageStartingWith("'fire' is no fault. There are: kill, stop, pause, cut, slow, redis-restart");
	}

	@Test
	void parseWhenSeedIsNoNumberSaysSo() {
		assertThatIllegalArgumentException().isThrownBy(() -> parse("--seed", "x"))
			.withMessage("--seed has to be a whole number, not 'x'");
	}

	@Test
	void parseWhenConnectionIsEncryptedSaysThatRelaysCannotPassItOn() {
		assertThatIllegalArgumentException().isThrownBy(() -> parse("--redis", "rediss://localhost"))
			.withMessageContaining("rediss://localhost");
	}

	@Test
	void parseWhenEveryWorkerIsSparedSaysThatOneMustNotBe() {
		assertThatIllegalArgumentException().isThrownBy(() -> parse("--workers", "2", "--spare", "2"))
			.withMessage("--spare has to be 0 or more and less than --workers, not '2'");
	}

	@Test
	void parseWhenClaimAheadIsOffTakesZero() {
		assertThat(parse("--claim-ahead", "0").fleet().claimAhead()).isZero();
	}

	@Test
	void parseWhenLengthsAreUnknownNamesThoseThereAre() {
		assertThatIllegalArgumentException().isThrownBy(() -> parse("--lengths", "long"))
			.withMessage("--lengths has to be 'varied' or 'mixed', not 'long'");
	}

	@Test
	void parseWhenShareOfOrderedJobsIsNoPercentageSaysSo() {
		assertThat(parse("--ordered", "0").load().ordered()).isZero();
		assertThatIllegalArgumentException().isThrownBy(() -> parse("--ordered", "101"))
			.withMessage("--ordered has to be a whole number of percent from 0 to 100, not '101'");
	}

	@Test
	void withoutWhenFaultIsThereLeavesTheOthers() {
		assertThat(parse("--faults", "kill,cut").without(Fault.KILL).faults()).isEqualTo(Set.of(Fault.CUT));
	}

	private static ChaosOptions parse(String... args) {
		return ChaosOptions.parse(args);
	}

}
