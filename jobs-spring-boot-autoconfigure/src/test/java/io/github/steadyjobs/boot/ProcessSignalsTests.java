package io.github.steadyjobs.boot;

import java.lang.reflect.InvocationTargetException;
import java.time.Duration;

import io.github.steadyjobs.server.Launcher;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.util.StringUtils;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link ProcessSignals} together with other parts of an application.
 */
@ExtendWith(OutputCaptureExtension.class)
class ProcessSignalsTests {

	private static final String TEXT = "The signal TTIN asks for the threads of this process";

	@Test
	@DisplayName("SK-10: a previous handler is called as well, and is finally restored")
	void signalWhenAnotherHandlerWasThereReachesBoth(CapturedOutput output) throws Exception {
		// The output capture loads a class at the first line, and signal threads have no
		// class loader for it.
		System.out.println("Starts.");
		ProcessSignals before = signals();
		ProcessSignals after = signals();
		try {
			raise("TTIN");
			await(output, 2);
			after.destroy();
			raise("TTIN");
			await(output, 3);
		}
		finally {
			before.destroy();
		}
	}

	private static ProcessSignals signals() {
		ProcessSignals signals = new ProcessSignals(new Launcher(null, null, null, null, null, false));
		signals.afterSingletonsInstantiated();
		return signals;
	}

	private static void await(CapturedOutput output, int times) {
		Awaitility.await()
			.during(Duration.ofMillis(100))
			.atMost(Duration.ofSeconds(30))
			.untilAsserted(() -> assertThat(StringUtils.countOccurrencesOf(output.getOut(), TEXT)).isEqualTo(times));
	}

	private static void raise(String name) throws ReflectiveOperationException, InvocationTargetException {
		Class<?> type = Class.forName("sun.misc.Signal");
		type.getMethod("raise", type).invoke(null, type.getConstructor(String.class).newInstance(name));
	}

}
