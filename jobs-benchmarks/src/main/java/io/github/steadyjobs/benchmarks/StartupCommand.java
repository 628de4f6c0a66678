package io.github.steadyjobs.benchmarks;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Measures how much longer an application takes to start because of the starter. Two
 * applications take turns, each start in a new process. Both have Actuator and connect to
 * Redis, but only one of them has jobs.
 */
final class StartupCommand {

	/**
	 * Number of starts that are not measured, because they read the jar from the disk.
	 */
	private static final int WARM_UP = 2;

	private final String redis;

	private final String prefix;

	private StartupCommand(String redis, String prefix) {
		this.redis = redis;
		this.prefix = prefix;
	}

	static void run(String[] args) throws Exception {
		Options options = new Options(args, Set.of("redis", "starts"));
		int starts = options.number("starts", 15);
		try (TargetRedis redis = new TargetRedis(options)) {
			// This application is not measured. It only deletes the keys at the end.
			BenchmarkApplication.measure(redis.url(), Map.of(),
					(application) -> new StartupCommand(redis.url(), application.prefix()).measure(starts));
		}
	}

	private Map<String, Object> measure(int starts) throws Exception {
		List<Integer> plain = new ArrayList<>();
		List<Integer> jobs = new ArrayList<>();
		List<Integer> differences = new ArrayList<>();
		for (int i = 0; i < WARM_UP + starts; i++) {
			int without = start(false);
			int with = start(true);
			if (i >= WARM_UP) {
				plain.add(without);
				jobs.add(with);
				differences.add(with - without);
			}
		}
		Map<String, Object> figures = new LinkedHashMap<>();
		figures.put("starts", starts);
		figures.put("plain_ready_ms", median(plain));
		figures.put("jobs_ready_ms", median(jobs));
		figures.put("difference_ms", median(differences));
		return figures;
	}

	/** Start an application, and return how many milliseconds that took. */
	private int start(boolean jobs) throws IOException, InterruptedException {
		List<String> command = OwnProgram.commandLine();
		command.addAll(List.of(StartupProcess.NAME, "--redis", this.redis, "--prefix", this.prefix, "--jobs",
				Boolean.toString(jobs)));
		Process process = new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.INHERIT).start();
		String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
		if (process.waitFor() != 0) {
			throw new IOException("An application did not start: " + output);
		}
		String answer = output.substring(output.lastIndexOf(StartupProcess.ANSWER));
		return Integer.parseInt(answer.substring(StartupProcess.ANSWER.length()).trim());
	}

	private static int median(List<Integer> values) {
		return values.stream().sorted().toList().get(values.size() / 2);
	}

}
