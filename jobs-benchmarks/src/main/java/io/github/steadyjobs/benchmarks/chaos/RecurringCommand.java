package io.github.steadyjobs.benchmarks.chaos;

import java.nio.file.Path;
import java.util.Map;

import io.github.steadyjobs.benchmarks.Json;

/**
 * Runs recurring jobs while faults of all kinds are injected, and determines for each
 * tick why it ran or did not run. Alternatively, measures the cost of recurring jobs
 * while none of them is due.
 */
public final class RecurringCommand {

	private RecurringCommand() {
	}

	/**
	 * Run the program.
	 * @param args the options
	 * @return 0 if each tick is explained, no tick created two jobs, and nothing ran
	 * twice without a fault; 1 otherwise
	 * @throws Exception if the program itself failed
	 */
	public static int run(String[] args) throws Exception {
		RecurringOptions options = RecurringOptions.parse(args);
		Map<String, Object> figures = run(options);
		Json.print(figures);
		return Boolean.FALSE.equals(figures.get("clean")) ? 1 : 0;
	}

	private static Map<String, Object> run(RecurringOptions options) throws Exception {
		Path directory = ChaosCommand.directory(options.chaos());
		Program chaos = options.idle() ? new RecurringIdle(options, directory) : new RecurringChaos(options, directory);
		Runnable cleanUp = () -> {
			chaos.close();
			if (options.chaos().keep() == null) {
				ChaosCommand.delete(directory);
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

	/**
	 * A run of the program.
	 */
	interface Program extends AutoCloseable {

		/**
		 * Run the program, and return its figures.
		 */
		Map<String, Object> run() throws Exception;

		@Override
		void close();

	}

}
