package io.github.steadyjobs.embedded;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CompletableFuture;

import io.github.steadyjobs.embedded.EmbeddedRedisException.Reason;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * Tests for {@link ServerProcess} with badly behaved programs.
 */
class ServerProcessTests {

	private static final String FOREIGN_ANSWER = "+PONG\r\n$15\r\nprocess_id:1\r\n\r\n+OK\r\n";

	@TempDir
	private Path folder;

	private ServerDirectory directory;

	@BeforeEach
	void createDirectory() {
		this.directory = ServerDirectory.create(this.folder);
	}

	@AfterEach
	void deleteDirectory() {
		this.directory.delete();
	}

	@Test
	void startWhenAnotherServerAnswersFirstIsNotMistakenForIt() throws Exception {
		Path pipe = this.folder.resolve("pipe");
		new ProcessBuilder("mkfifo", pipe.toString()).start().waitFor();
		try (ServerSocket other = new ServerSocket(0, 1, InetAddress.getByName(ServerProcess.HOST))) {
			CompletableFuture<Void> answered = CompletableFuture.runAsync(() -> answerOnceAndTell(other, pipe));
			List<String> command = shell("read -r line < '" + pipe + "'; echo 'bind: Address already in use'; exit 1");
			assertThatExceptionOfType(EmbeddedRedisException.class)
				.isThrownBy(() -> ServerProcess.start(command, other.getLocalPort(), this.directory))
				.matches((ex) -> ex.reason() == Reason.PORT_IN_USE);
			answered.join();
		}
	}

	@Test
	void startWhenProgramEndsTellsStatusAndLastWords() {
		assertThatExceptionOfType(EmbeddedRedisException.class).isThrownBy(
				() -> ServerProcess.start(shell("echo 'no memory'; exit 3"), ServerProcess.freePort(), this.directory))
			.withMessageContaining("status 3")
			.withMessageContaining("no memory");
	}

	private static List<String> shell(String script) {
		return List.of("sh", "-c", script);
	}

	private static void answerOnceAndTell(ServerSocket server, Path pipe) {
		try {
			try (Socket client = server.accept()) {
				client.getInputStream().readNBytes("PING\r\nINFO server\r\nQUIT\r\n".length());
				client.getOutputStream().write(FOREIGN_ANSWER.getBytes(StandardCharsets.US_ASCII));
			}
			Files.writeString(pipe, "answered\n");
		}
		catch (IOException ex) {
			throw new IllegalStateException(ex);
		}
	}

}
