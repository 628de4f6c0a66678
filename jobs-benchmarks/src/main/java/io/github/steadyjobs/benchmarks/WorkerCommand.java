package io.github.steadyjobs.benchmarks;

import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.Set;

import io.github.steadyjobs.benchmarks.BenchmarkApplication.Running;

/**
 * Runs jobs in a separate process that {@link Workers} starts. Properties of the
 * application are passed as system properties.
 */
final class WorkerCommand {

	static final String NAME = "worker";

	/**
	 * The prefix of lines with answers, which distinguishes them from other output.
	 */
	static final String ANSWER = "> ";

	private WorkerCommand() {
	}

	/**
	 * Read commands line by line until the input ends, and answer each with a line.
	 */
	static void run(String[] args) throws Exception {
		Options options = new Options(args, Set.of("redis", "prefix"));
		try (Running application = BenchmarkApplication.start(options.text("redis", ""), options.text("prefix", ""),
				Map.of());
				BufferedReader input = new BufferedReader(
						new InputStreamReader(System.in, StandardCharsets.US_ASCII))) {
			answer("ready");
			for (String line = input.readLine(); line != null; line = input.readLine()) {
				answer(obey(line, application));
			}
		}
	}

	private static String obey(String line, Running application) {
		switch (line) {
			case "start" -> application.workers().start();
			case "watch-pauses" -> application.tasks().watchPauses();
			case "stop" -> application.workers().stop();
			case "figures" -> {
				return application.tasks().take().text();
			}
			default -> throw new IllegalArgumentException("Unknown: " + line);
		}
		return line;
	}

	private static void answer(String text) {
		System.out.println(ANSWER + text);
		System.out.flush();
	}

}
