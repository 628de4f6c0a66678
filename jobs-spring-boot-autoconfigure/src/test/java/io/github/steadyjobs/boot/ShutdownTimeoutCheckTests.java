package io.github.steadyjobs.boot;

import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.mock.env.MockEnvironment;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link ShutdownTimeoutCheck}.
 */
@ExtendWith(OutputCaptureExtension.class)
class ShutdownTimeoutCheckTests {

	private static final String PHASE = "spring.lifecycle.timeout-per-shutdown-phase";

	private final MockEnvironment environment = new MockEnvironment();

	@Test
	void warnWhenNothingIsConfiguredIsSilent(CapturedOutput output) {
		check();
		assertThat(output).doesNotContain("ShutdownTimeoutCheck");
	}

	@Test
	void warnWhenPhaseIsLongEnoughIsSilent(CapturedOutput output) {
		this.environment.setProperty(PHASE, "65s");
		check("steadyjobs.shutdown-timeout=1m");
		assertThat(output).doesNotContain("ShutdownTimeoutCheck");
	}

	@Test
	@DisplayName("SK-21: the time that jobs get must not be longer than the time that Spring waits")
	void warnWhenTimeoutIsTooLongForThePhaseSaysWhatToType(CapturedOutput output) {
		check("steadyjobs.shutdown-timeout=1m");
		assertThat(output).contains("Running jobs would get 60s to end at a shutdown, but Spring waits for only 30s, "
				+ "and what it cuts off is not put back in its queue. Set "
				+ "'spring.lifecycle.timeout-per-shutdown-phase' to 65s or more, or 'steadyjobs.shutdown-timeout' to "
				+ "25s or less");
	}

	@Test
	void warnWhenPhaseIsShorterThanTheRestSaysWhatToType(CapturedOutput output) {
		this.environment.setProperty(PHASE, "2500");
		check("steadyjobs.shutdown-timeout=1500ms");
		assertThat(output).contains("would get 1500ms to end at a shutdown, but Spring waits for only 2500ms")
			.contains("to 6500ms or more, or 'steadyjobs.shutdown-timeout' to 0s or less");
	}

	private void check(String... properties) {
		ShutdownTimeoutCheck.warn(Bound.properties(properties), this.environment);
	}

}
