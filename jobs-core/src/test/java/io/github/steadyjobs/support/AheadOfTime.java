package io.github.steadyjobs.support;

import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import javax.tools.ToolProvider;

import io.github.steadyjobs.embedded.EmbeddedRedisServer;
import org.awaitility.Awaitility;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * A web application that is processed ahead of time, in the same way as by the goal
 * {@code process-aot} of Spring Boot's Maven plugin, and that then runs on the JVM, with
 * a separate Redis.
 */
public final class AheadOfTime implements AutoCloseable {

	private static final String PROCESSOR = "org.springframework.boot.SpringApplicationAotProcessor";

	private static final Pattern STARTED = Pattern.compile("Tomcat started on port (\\d+)");

	private final Closer closer;

	private final Path directory;

	private final String url;

	private AheadOfTime(Class<?> application, Path directory, String[] arguments, Closer closer) {
		this.closer = closer;
		this.directory = directory;
		try {
			process(application);
			compile();
			this.url = "http://localhost:" + run(application, arguments);
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

	/**
	 * Process an application, start it, and wait until it serves requests.
	 * @param application the class with the main method
	 * @param directory an empty directory, for everything that is generated
	 * @param arguments arguments of the application
	 * @return the application
	 */
	public static AheadOfTime start(Class<?> application, Path directory, String... arguments) {
		return Closer.open((closer) -> new AheadOfTime(application, directory, arguments, closer));
	}

	private void process(Class<?> application) throws IOException {
		Process process = java("processing.log", PROCESSOR, application.getName(), path("sources"), path("resources"),
				path("classes"), "group", "artifact");
		assertThat(process.onExit().join().exitValue()).as(this::processingLog).isZero();
	}

	private void compile() throws IOException {
		List<String> arguments = new ArrayList<>(
				List.of("-d", path("classes"), "-cp", classPath(), "-proc:none", "-nowarn", "-parameters"));
		try (Stream<Path> sources = Files.walk(this.directory.resolve("sources"))) {
			sources.map(Path::toString).filter((file) -> file.endsWith(".java")).forEach(arguments::add);
		}
		int status = ToolProvider.getSystemJavaCompiler().run(null, null, null, arguments.toArray(String[]::new));
		assertThat(status).isZero();
	}

	/** Start the application on a port that the system chooses, and return the port. */
	private String run(Class<?> application, String[] arguments) throws IOException {
		EmbeddedRedisServer redis = this.closer.register(EmbeddedRedisServer.start());
		List<String> command = new ArrayList<>(
				List.of("-Dspring.aot.enabled=true", "-Xlog:class+load:file=" + path("loading.log"),
						application.getName(), "--server.port=0", "--spring.data.redis.url=" + redis.uri()));
		command.addAll(List.of(arguments));
		Process process = java("run.log", command.toArray(String[]::new));
		this.closer.register(() -> {
			process.destroy();
			process.onExit().join();
		});
		Awaitility.await()
			.atMost(Duration.ofMinutes(2))
			.failFast(() -> assertThat(process.isAlive()).as(this::log).isTrue())
			.untilAsserted(() -> assertThat(log()).containsPattern(STARTED));
		return STARTED.matcher(log()).results().findFirst().orElseThrow().group(1);
	}

	private Process java(String log, String... arguments) throws IOException {
		List<String> command = new ArrayList<>(
				List.of(Path.of(System.getProperty("java.home"), "bin", "java").toString(), "-XX:TieredStopAtLevel=1",
						"-XX:+UseSerialGC", "-cp", classPath()));
		command.addAll(List.of(arguments));
		return new ProcessBuilder(command).redirectErrorStream(true)
			.redirectOutput(this.directory.resolve(log).toFile())
			.start();
	}

	/**
	 * Return the generated files, followed by the class path of this test without its
	 * test classes.
	 */
	private String classPath() {
		Stream<String> own = Stream.of(System.getProperty("java.class.path").split(File.pathSeparator))
			.filter((entry) -> !entry.endsWith("test-classes"));
		return Stream.concat(Stream.of(path("classes"), path("resources")), own)
			.collect(Collectors.joining(File.pathSeparator));
	}

	private String path(String name) {
		return this.directory.resolve(name).toString();
	}

	/** Return the address of the application. */
	public String url() {
		return this.url;
	}

	/** Return what was logged while the application was processed. */
	public String processingLog() {
		return read("processing.log");
	}

	private String log() {
		return read("run.log");
	}

	private String read(String file) {
		try {
			return Files.readString(this.directory.resolve(file));
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

	/** Check that a class generated ahead of time records calls of the given class. */
	public void assertRecorderIsLoaded(Class<?> type) {
		assertThat(
				read("loading.log").lines().filter((line) -> line.contains(type.getName() + "$$EnhancerByJobRecorder")))
			.singleElement()
			.asString()
			.contains("source: file:" + path("classes"));
	}

	@Override
	public void close() {
		this.closer.close();
	}

}
