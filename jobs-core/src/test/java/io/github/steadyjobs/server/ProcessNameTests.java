package io.github.steadyjobs.server;

import io.github.steadyjobs.server.ProcessReport.ProcessName;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link ProcessName}.
 */
class ProcessNameTests {

	@Test
	void createWhenCalledAgainMakesAnotherNameForTheSameProcess() {
		ProcessName first = ProcessName.create();
		ProcessName second = ProcessName.create();
		assertThat(first.pid()).isEqualTo(ProcessHandle.current().pid()).isEqualTo(second.pid());
		assertThat(first.host()).isEqualTo(second.host());
		assertThat(first).doesNotHaveToString(second.toString());
	}

	@Test
	void toStringWhenUsedInTokensHasNeitherSlashNorSpace() {
		assertThat(ProcessName.create().toString()).matches("[A-Za-z0-9_.-]+:\\d+:[0-9a-f]{12}");
	}

}
