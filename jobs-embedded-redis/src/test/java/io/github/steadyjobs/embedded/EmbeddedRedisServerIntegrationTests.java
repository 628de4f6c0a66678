package io.github.steadyjobs.embedded;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.function.Function;

import io.github.steadyjobs.embedded.EmbeddedRedisException.Reason;
import io.lettuce.core.RedisClient;
import io.lettuce.core.api.StatefulRedisConnection;
import io.lettuce.core.api.sync.RedisCommands;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIOException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

/**
 * Tests for {@link EmbeddedRedisServer}.
 */
@Tag("redis-program")
class EmbeddedRedisServerIntegrationTests {

	@Test
	void startAnswersAndIsTheProcessThatWasStarted() throws IOException {
		try (EmbeddedRedisServer server = EmbeddedRedisServer.start()) {
			assertThat(server.isRunning()).isTrue();
			assertThat(ServerProcess.idAt(server.port())).isEqualTo(server.pid());
			assertThat(ProcessHandle.current().children()).extracting(ProcessHandle::pid).contains(server.pid());
			assertThat(server.uri()).hasToString("redis://127.0.0.1:" + server.port());
		}
	}

	@Test
	void startKeepsDataInMemoryAndAllOfItOnTheLoopback() {
		try (EmbeddedRedisServer server = EmbeddedRedisServer.start()) {
			assertThat(setting(server, "save")).isEmpty();
			assertThat(setting(server, "appendonly")).isEqualTo("no");
			assertThat(setting(server, "maxmemory-policy")).isEqualTo("noeviction");
			assertThat(setting(server, "bind")).isEqualTo("127.0.0.1");
			assertThat(setting(server, "dir")).isEqualTo(server.directory().toString());
		}
	}

	@Test
	void startWhenCalledTwiceGivesTwoServers() throws IOException {
		try (EmbeddedRedisServer one = EmbeddedRedisServer.start();
				EmbeddedRedisServer two = EmbeddedRedisServer.start()) {
			assertThat(one.directory()).isNotEmptyDirectory().isNotEqualTo(two.directory());
			assertThat(ServerProcess.idAt(one.port())).isEqualTo(one.pid());
			assertThat(ServerProcess.idAt(two.port())).isEqualTo(two.pid()).isNotEqualTo(one.pid());
		}
	}

	@Test
	void startWhenArgumentsAreGivenPassesThem() {
		try (EmbeddedRedisServer server = EmbeddedRedisServer.builder()
			.arguments("--maxmemory", "10mb", "--cluster-enabled", "yes")
			.start()) {
			assertThat(setting(server, "maxmemory")).isEqualTo("10485760");
			assertThat(setting(server, "cluster-enabled")).isEqualTo("yes");
		}
	}

	@Test
	void startWhenArgumentIsUnknownQuotesLogAndLeavesNothing() throws IOException {
		List<Path> before = directories();
		assertThatExceptionOfType(EmbeddedRedisException.class)
			.isThrownBy(() -> EmbeddedRedisServer.builder().arguments("--nonsense", "yes").start())
			.withMessageContaining("nonsense")
			.withMessageContaining("Bad directive");
		assertThat(directories()).isEqualTo(before);
	}

	@Test
	void startWhenPortIsTakenThrows() throws IOException {
		try (ServerSocket taken = listen()) {
			assertThatPortIsInUse(taken.getLocalPort());
		}
	}

	@Test
	void startWhenPortOfAnotherRedisIsGivenThrows() {
		try (EmbeddedRedisServer other = EmbeddedRedisServer.start()) {
			assertThatPortIsInUse(other.port());
		}
	}

	@Test
	void startWhenFreePortIsLostTriesAnother() throws IOException {
		int free = ServerProcess.freePort();
		try (ServerSocket lost = listen()) {
			Iterator<Integer> ports = List.of(lost.getLocalPort(), free).iterator();
			try (EmbeddedRedisServer server = EmbeddedRedisServer.builder().freePort(ports::next).start()) {
				assertThat(server.port()).isEqualTo(free);
				assertThat(ServerProcess.idAt(free)).isEqualTo(server.pid());
			}
		}
	}

	@Test
	void stopEndsServerAndRestartBringsItBackWithWhatItWroteDown() {
		try (EmbeddedRedisServer server = EmbeddedRedisServer.builder().arguments("--appendonly", "yes").start()) {
			int port = server.port();
			call(server, (redis) -> redis.set("key", "value"));
			server.stop();
			assertThat(server.isRunning()).isFalse();
			assertThatIOException().isThrownBy(() -> ServerProcess.idAt(port));
			server.restart();
			assertThat(server.port()).isEqualTo(port);
			String value = call(server, (redis) -> redis.get("key"));
			assertThat(value).isEqualTo("value");
		}
	}

	@Test
	void killEndsServerThatDoesNotReactAndRestartBringsItBackEmpty() throws Exception {
		try (EmbeddedRedisServer server = EmbeddedRedisServer.start()) {
			call(server, (redis) -> redis.set("key", "value"));
			long pid = server.pid();
			new ProcessBuilder("sh", "-c", "kill -STOP " + pid).start().waitFor();
			server.kill();
			assertThat(server.isRunning()).isFalse();
			server.restart();
			assertThat(server.pid()).isNotEqualTo(pid);
			String value = call(server, (redis) -> redis.get("key"));
			assertThat(value).isNull();
		}
	}

	@Test
	void closeEndsServerAndDeletesItsDirectory() {
		EmbeddedRedisServer server = EmbeddedRedisServer.start();
		assertThat(server.directory()).isDirectoryContaining("glob:**server.log");
		server.close();
		assertThat(server.isRunning()).isFalse();
		assertThat(server.directory()).doesNotExist();
		server.close();
		assertThatIllegalStateException().isThrownBy(server::restart);
	}

	private static void assertThatPortIsInUse(int port) {
		assertThatExceptionOfType(EmbeddedRedisException.class)
			.isThrownBy(() -> EmbeddedRedisServer.builder().port(port).start())
			.matches((ex) -> ex.reason() == Reason.PORT_IN_USE)
			.matches((ex) -> ex.subject().equals(Integer.toString(port)));
	}

	private static String setting(EmbeddedRedisServer server, String name) {
		Map<String, String> settings = call(server, (redis) -> redis.configGet(name));
		return settings.get(name);
	}

	private static <T> T call(EmbeddedRedisServer server, Function<RedisCommands<String, String>, T> command) {
		try (RedisClient client = RedisClient.create(server.uri().toString());
				StatefulRedisConnection<String, String> connection = client.connect()) {
			return command.apply(connection.sync());
		}
	}

	private static ServerSocket listen() throws IOException {
		return new ServerSocket(0, 1, InetAddress.getByName(ServerProcess.HOST));
	}

	private static List<Path> directories() throws IOException {
		try (var children = Files.list(ServerDirectory.folder())) {
			return children.filter(ServerDirectory::isOwn).toList();
		}
	}

}
