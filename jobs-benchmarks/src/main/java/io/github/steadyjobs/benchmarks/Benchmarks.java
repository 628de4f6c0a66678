package io.github.steadyjobs.benchmarks;

import java.util.Arrays;
import java.util.Map;
import java.util.TreeMap;

import io.github.steadyjobs.benchmarks.chaos.ChaosCommand;
import io.github.steadyjobs.benchmarks.chaos.ChaosWorker;
import io.github.steadyjobs.benchmarks.chaos.RecurringCommand;
import io.github.steadyjobs.benchmarks.chaos.RecurringProcess;
import io.github.steadyjobs.benchmarks.duplicates.DuplicatesCommand;
import io.github.steadyjobs.benchmarks.duplicates.DuplicatesProcess;

/**
 * The entry point. The first argument is the name of the command.
 */
public final class Benchmarks {

	private static final Map<String, Command> COMMANDS = new TreeMap<>(Map.ofEntries(
			Map.entry("throughput", printing(ThroughputCommand::run)),
			Map.entry("latency", printing(LatencyCommand::run)), Map.entry("enqueue", printing(EnqueueCommand::run)),
			Map.entry("mixed", printing(MixedCommand::run)), Map.entry("fairness", printing(FairnessCommand::run)),
			Map.entry("scale", printing(ScaleCommand::run)), Map.entry("soak", SoakCommand::run),
			Map.entry("idle", printing(IdleCommand::run)), Map.entry("locks", printing(LocksCommand::run)),
			Map.entry("scripts", printing(ScriptsCommand::run)), Map.entry("admin", printing(AdminCommand::run)),
			Map.entry("sequential", printing(SequentialCommand::run)),
			Map.entry("fetchers", printing(FetchersCommand::run)),
			Map.entry("delivery", printing(DeliveryCommand::run)), Map.entry("tracing", printing(TracingCommand::run)),
			Map.entry("startup", printing(StartupCommand::run)), Map.entry("driver", printing(DriverCommand::run)),
			Map.entry("jmh", JmhCommand::run), Map.entry("chaos", ChaosCommand::run),
			Map.entry("duplicates", DuplicatesCommand::run), Map.entry("recurring", RecurringCommand::run),
			// These commands are started in separate processes by other commands.
			Map.entry(WorkerCommand.NAME, printing(WorkerCommand::run)),
			Map.entry(StartupProcess.NAME, printing(StartupProcess::run)),
			Map.entry(ChaosWorker.COMMAND, ChaosWorker::run),
			Map.entry(RecurringProcess.COMMAND, RecurringProcess::run),
			Map.entry(DuplicatesProcess.COMMAND, DuplicatesProcess::run)));

	private Benchmarks() {
	}

	/**
	 * Run a command.
	 * @param args the command and its options
	 */
	public static void main(String[] args) {
		// Threads left running by a client must not keep the program alive.
		System.exit(run(args));
	}

	static int run(String[] args) {
		Command command = (args.length > 0) ? COMMANDS.get(args[0]) : null;
		if (command == null) {
			System.err.println("Usage: java -jar jobs-benchmarks.jar <command> [options]");
			System.err.println("  throughput --redis redis://127.0.0.1:6379|embedded --jobs 100000 --concurrency 10");
			System.err.println("  latency --redis redis://127.0.0.1:6379|embedded --samples 200 --every 20ms");
			System.err.println("  locks --redis redis://127.0.0.1:6379|embedded --jobs 1000000");
			System.err.println("  enqueue --redis redis://127.0.0.1:6379|embedded --threads 64 --turn 3s");
			System.err
				.println("  mixed --redis redis://127.0.0.1:6379|embedded --jobs 100000 --concurrency 10 --seed 42");
			System.err
				.println("  fairness --redis redis://127.0.0.1:6379|embedded --jobs 100000 --seconds 30 --runs 5");
			System.err.println("        --seed 42");
			System.err.println("  scale --redis redis://127.0.0.1:6379|embedded --largest 1000000 --processes 1,2,4");
			System.err.println("        --concurrency 10");
			System.err.println("  soak --redis redis://127.0.0.1:6379|embedded --duration 10m");
			System.err.println("  idle --redis redis://127.0.0.1:6379|embedded --capsules 1 --queues 1 --settle 20");
			System.err.println("        --seconds 30");
			System.err.println("  scripts --redis redis://127.0.0.1:6379|embedded --calls 100000");
			System.err.println("  admin --redis redis://127.0.0.1:6379|embedded --jobs 1000000 --dead 100000");
			System.err.println("  sequential --redis redis://127.0.0.1:6379|embedded --jobs 100000 --keys 100000");
			System.err.println("        --concurrency 5");
			System.err.println("  tracing --redis redis://127.0.0.1:6379|embedded --jobs 20000 --rounds 15");
			System.err.println("        --concurrency 10");
			System.err.println("  startup --redis redis://127.0.0.1:6379|embedded --starts 15");
			System.err.println("  fetchers --redis redis://127.0.0.1:6379|embedded --jobs 100000 --rounds 3");
			System.err.println("  delivery --redis redis://127.0.0.1:6379|embedded --jobs 100000 --rounds 3");
			System.err.println("        --concurrency 10");
			System.err.println("  jmh -h");
			System.err.println("  duplicates --redis redis://127.0.0.1:6379|embedded --keys 1000 --enqueues 1000000");
			System.err.println("        --processes 4 --threads 64 --kills 0 --seed 42");
			System.err.println(
					"  driver [steady-jobs|ceiling|spring-streams] version|enqueue single N|enqueue bulk N|work N C|paced M MS");
			System.err.println("  chaos --redis redis://127.0.0.1:6379|embedded --jobs 20000 --workers 3 --seconds 60");
			System.err.println("        --faults kill,stop,pause,cut,slow,redis-restart,script-flush,client-kill|none");
			System.err.println(
					"        --lengths varied|mixed --seed 42 --concurrency 10 --claim-ahead 5ms --spare 1 --operator true");
			System.err.println("        --beat 5s --death-after 30s --pause 60s --settle 180s --keep directory");
			System.err.println("  recurring --redis redis://127.0.0.1:6379|embedded --jobs 1000 --processes 10");
			System.err.println("        --duration 10m --faults kill,stop,pause,cut,slow,redis-restart|none --seed 42");
			System.err.println("        --fault-every 20s --late-after 5s --concurrency 10 --idle false");
			System.err.println("        --beat 5s --death-after 30s --pause 8s --settle 180s --keep directory");
			return 2;
		}
		try {
			return command.run(Arrays.copyOfRange(args, 1, args.length));
		}
		catch (IllegalArgumentException ex) {
			System.err.println(ex.getMessage());
		}
		catch (Exception ex) {
			ex.printStackTrace();
		}
		return 2;
	}

	private static Command printing(Measurement measurement) {
		return (args) -> {
			measurement.run(args);
			return 0;
		};
	}

	/**
	 * A command of this program. It returns the exit status of the program.
	 */
	private interface Command {

		int run(String[] args) throws Exception;

	}

	/**
	 * A command that only prints figures.
	 */
	private interface Measurement {

		void run(String[] args) throws Exception;

	}

}
