package io.github.steadyjobs.benchmarks.chaos;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

import io.github.steadyjobs.benchmarks.Json;

import org.springframework.util.FileSystemUtils;

/**
 * Lets workers run jobs while faults of all kinds are injected, and checks that no job
 * was lost.
 */
public final class ChaosCommand {

	private ChaosCommand() {
	}

	/**
	 * Run the program.
	 * @param args the options
	 * @return 0 if the {@linkplain ChaosResult#isClean() result is clean}; 1 otherwise
	 * @throws Exception if the program itself failed
	 */
	public static int run(String[] args) throws Exception {
		ChaosResult result = run(ChaosOptions.parse(args));
		Json.print(result.figures());
		return result.isClean() ? 0 : 1;
	}

	static ChaosResult run(ChaosOptions asked) throws Exception {
		ChaosOptions options = possible(asked);
		Path directory = directory(options);
		Chaos chaos = new Chaos(options, directory);
		Runnable cleanUp = () -> {
			chaos.close();
			if (options.keep() == null) {
				delete(directory);
			}
		};
		// Leave no processes or files, even after Ctrl-C.
		Runtime.getRuntime().addShutdownHook(new Thread(cleanUp));
		try {
			return chaos.run();
		}
		finally {
			cleanUp.run();
		}
	}

	private static ChaosOptions possible(ChaosOptions options) {
		ChaosOptions possible = options;
		if (!options.isEmbedded()) {
			possible = leaveOut(possible, Fault.REDIS_RESTART, ChaosOptions.EMBEDDED);
		}
		if (!options.isCluster()) {
			possible = leaveOut(possible, Fault.MASTER_KILL, ChaosOptions.CLUSTER);
		}
		if (!options.isEmbedded() && !options.isCluster()) {
			possible = leaveOut(possible, Fault.OLDER_DATA, ChaosOptions.EMBEDDED);
		}
		return possible;
	}

	private static ChaosOptions leaveOut(ChaosOptions options, Fault fault, String redis) {
		if (!options.faults().contains(fault)) {
			return options;
		}
		System.err.printf("'%s' is left out: only a server that this program has started itself may be killed. "
				+ "Use '--redis %s' for that.%n", fault, redis);
		return options.without(fault);
	}

	static void delete(Path directory) {
		try {
			FileSystemUtils.deleteRecursively(directory);
		}
		catch (IOException ex) {
			System.err.printf("Could not delete '%s': %s%n", directory, ex);
		}
	}

	static Path directory(ChaosOptions options) throws IOException {
		Path keep = options.keep();
		if (keep == null) {
			return Files.createTempDirectory("chaos");
		}
		// The logs of an earlier run must not be mixed with those of this run.
		return Files.createTempDirectory(Files.createDirectories(keep), "run-");
	}

}
