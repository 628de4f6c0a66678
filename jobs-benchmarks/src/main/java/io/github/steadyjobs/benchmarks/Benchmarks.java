package io.github.steadyjobs.benchmarks;

import java.util.Arrays;
import java.util.Map;
import java.util.TreeMap;

/**
 * Entry point: the first argument names the command.
 */
public final class Benchmarks {

	private static final Map<String, Command> COMMANDS = new TreeMap<>(
			Map.of("throughput", ThroughputCommand::run, "latency", LatencyCommand::run, "driver", DriverCommand::run));

	private Benchmarks() {
	}

	/**
	 * Run a command.
	 * @param args the command and its options
	 * @throws Exception if the command failed
	 */
	public static void main(String[] args) throws Exception {
		Command command = (args.length > 0) ? COMMANDS.get(args[0]) : null;
		if (command == null) {
			System.err.println("Usage: java -jar jobs-benchmarks.jar <command> [options]");
			System.err.println("  throughput --redis redis://127.0.0.1:6379|embedded --jobs 100000 --concurrency 10");
			System.err.println("  latency --redis redis://127.0.0.1:6379|embedded --samples 200 --every 20ms");
			System.err.println("  driver version|enqueue single N|enqueue bulk N|work N C|paced M MS");
			System.exit(2);
			return;
		}
		try {
			command.run(Arrays.copyOfRange(args, 1, args.length));
		}
		catch (IllegalArgumentException ex) {
			System.err.println(ex.getMessage());
			System.exit(2);
		}
		// Whatever thread a client has left behind must not keep the program alive.
		System.exit(0);
	}

	/**
	 * A command of this program.
	 */
	interface Command {

		void run(String[] args) throws Exception;

	}

}
