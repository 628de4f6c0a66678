package io.github.steadyjobs.support;

import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import javax.tools.ToolProvider;

import io.github.steadyjobs.embedded.EmbeddedRedisServer;

import org.springframework.test.util.TestSocketUtils;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * A web application that is processed ahead of time, in the same way as by the goal
 * {@code process-aot} of Spring Boot's Maven plugin, and that then runs on the JVM, with
 * a separate Redis.
 */
public final class AheadOfTime implements AutoCloseable {

	private static final String PROCESSOR = "org.springframework.boot.SpringApplicationAotProcessor";

	private final int port = TestSocketUtils.findAvailableTcpPort();

	private final Closer closer = new Closer();

	private final Path directory;

	private AheadOfTime(Path directory) {
		this.directory = directory;
	}

	/**
	 * Process an application and start it.
	 * @param application the class with the main method
	 * @param directory an empty directory, for everything that is generated
	 * @param arguments arguments of the application
	 * @return the application, which may still be starting
	 */
	public static AheadOfTime start(Class<?> application, Path directory, String... arguments) throws Exception {
		AheadOfTime started = new AheadOfTime(directory);
		started.process(application);
		started.compile();
		started.run(application, arguments);
		return started;
	}

	private void process(Class<?> application) throws Exception {
		Process process = java("processing.log", PROCESSOR, application.getName(), path("sources"), path("resources"),
				path("classes"), "group", "artifact");
		assertThat(process.waitFor()).as(this::processingLog).isZero();
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

	private void run(Class<?> application, String[] arguments) throws IOException {
		EmbeddedRedisServer redis = this.closer.register(EmbeddedRedisServer.start());
		List<String> command = new ArrayList<>(List.of("-Dspring.aot.enabled=true", "-Xlog:class+load",
				application.getName(), "--server.port=" + this.port, "--spring.data.redis.url=" + redis.uri()));
		command.addAll(List.of(arguments));
		Process process = java("run.log", command.toArray(String[]::new));
		this.closer.register(() -> {
			process.destroy();
			process.waitFor();
		});
	}

	private Process java(String log, String... arguments) throws IOException {
		List<String> command = new ArrayList<>(
				List.of(Path.of(System.getProperty("java.home"), "bin", "java").toString(), "-cp", classPath()));
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
		return "http://localhost:" + this.port;
	}

	/** Return what was logged while the application was processed. */
	public String processingLog() {
		return read("processing.log");
	}

	/**
	 * Return the log of the running application. It contains a line for each class that
	 * the JVM has loaded, with the place from which it was loaded.
	 */
	public String log() {
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
		assertThat(log().lines().filter((line) -> line.contains(type.getName() + "$$EnhancerByJobRecorder")))
			.singleElement()
			.asString()
			.contains("source: file:" + path("classes"));
	}

	@Override
	public void close() {
		this.closer.close();
	}

}
