package io.github.steadyjobs.embedded;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link ProcessRecord}.
 */
class ProcessRecordTests {

	@TempDir
	private Path directory;

	private ProcessRecord self;

	@BeforeEach
	void recordThisProcess() throws IOException {
		ProcessRecord.write(ProcessHandle.current(), this.directory);
		this.self = ProcessRecord.read(this.directory).orElseThrow();
	}

	@Test
	void findWhenProcessRunsFindsIt() {
		assertThat(this.self.find()).contains(ProcessHandle.current());
	}

	@Test
	void findWhenIdBelongsToLaterProcessFindsNothing() {
		ProcessRecord earlier = new ProcessRecord(this.self.pid(), this.self.started().minus(Duration.ofMinutes(1)),
				this.self.command());
		assertThat(earlier.find()).isEmpty();
	}

	@Test
	void findWhenIdBelongsToAnotherProgramFindsNothing() {
		ProcessRecord other = new ProcessRecord(this.self.pid(), this.self.started(), "/usr/bin/redis-server");
		assertThat(other.find()).isEmpty();
	}

	@Test
	void readWhenNothingWasWrittenIsEmpty(@TempDir Path other) throws IOException {
		assertThat(ProcessRecord.read(other)).isEmpty();
	}

}
