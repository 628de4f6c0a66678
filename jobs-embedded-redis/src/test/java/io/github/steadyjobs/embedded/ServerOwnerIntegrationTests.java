package io.github.steadyjobs.embedded;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Stream;

import org.awaitility.Awaitility;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for servers of several JVMs, and for the fate of a server whose JVM ends without
 * closing the server.
 */
@Tag("redis-program")
class ServerOwnerIntegrationTests {

	@Test
	void killWhenWatchedEndsServerAndDeletesDirectory() throws Exception {
		try (ServerOwner owner = ServerOwner.start()) {
			owner.kill();
			awaitGone(owner);
		}
	}

	@Test
	void killWhenWatchdogIsKilledTooLeavesServerToNextStart() throws Exception {
		try (ServerOwner owner = ServerOwner.start()) {
			owner.killWatchdog();
			owner.kill();
			assertThat(ServerProcess.idAt(owner.port())).isEqualTo(owner.serverPid());
			EmbeddedRedisServer.start().close();
			awaitGone(owner);
		}
	}

	@Test
	void startWhenAnotherOwnerLivesLeavesItsServerAlone() throws Exception {
		try (ServerOwner owner = ServerOwner.start()) {
			EmbeddedRedisServer.start().close();
			assertThat(ServerProcess.idAt(owner.port())).isEqualTo(owner.serverPid());
			assertThat(owner.directory()).isNotEmptyDirectory();
		}
	}

	@Test
	void startWhenSeveralJvmsUnpackAtOnceGivesEachItsServer(@TempDir Path temporaryFolder) {
		List<CompletableFuture<ServerOwner>> starts = Stream.generate(() -> startAsync(temporaryFolder))
			.limit(4)
			.toList();
		List<ServerOwner> owners = starts.stream().map(CompletableFuture::join).toList();
		assertThat(owners).allMatch(ServerOwnerIntegrationTests::isAnswering)
			.allMatch((owner) -> owner.directory().startsWith(temporaryFolder))
			.extracting(ServerOwner::directory)
			.doesNotHaveDuplicates();
		owners.forEach(ServerOwner::close);
		owners.forEach(ServerOwnerIntegrationTests::awaitGone);
	}

	@Test
	void signalWhenSentToWholeGroupDoesNotReachServer() throws Exception {
		try (ServerOwner owner = ServerOwner.start()) {
			// A terminating signal is not suitable, because the server would still answer
			// for a moment.
			owner.signalGroup("STOP");
			try {
				assertThat(ServerProcess.idAt(owner.port())).isEqualTo(owner.serverPid());
			}
			finally {
				owner.signalGroup("CONT");
			}
		}
	}

	@Test
	void signalWhenItEndsWholeGroupLeavesWatchdogToEndServer() throws Exception {
		try (ServerOwner owner = ServerOwner.start()) {
			owner.signalGroup("TERM");
			awaitGone(owner);
		}
	}

	private static CompletableFuture<ServerOwner> startAsync(Path temporaryFolder) {
		return CompletableFuture.supplyAsync(() -> {
			try {
				return ServerOwner.start(temporaryFolder);
			}
			catch (IOException ex) {
				throw new UncheckedIOException(ex);
			}
		});
	}

	private static void awaitGone(ServerOwner owner) {
		Awaitility.await().untilAsserted(() -> {
			assertThat(isAnswering(owner)).isFalse();
			assertThat(owner.directory()).doesNotExist();
		});
	}

	private static boolean isAnswering(ServerOwner owner) {
		try {
			return ServerProcess.idAt(owner.port()) == owner.serverPid();
		}
		catch (IOException ex) {
			return false;
		}
	}

}
