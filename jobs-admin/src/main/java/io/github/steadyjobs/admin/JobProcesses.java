package io.github.steadyjobs.admin;

import java.util.List;
import java.util.Optional;

import io.github.steadyjobs.JobStoreException;
import io.github.steadyjobs.activity.OperatorChange;
import io.github.steadyjobs.redis.ProcessStore;
import io.github.steadyjobs.redis.ProcessStore.Instruction;
import io.github.steadyjobs.redis.RedisConnections;

import org.springframework.util.Assert;

/**
 * Shows the processes that run jobs, and sends them orders to become quiet, to stop or to
 * dump their threads.
 * <p>
 * An order to a process is stored in Redis. The process reads it with its next heartbeat,
 * which may take as long as {@code steadyjobs.liveness.beat}, and carries it out once.
 * The name of a process is never reused, so an order never reaches a process that has
 * replaced another process.
 * <p>
 * Each method throws a {@link JobStoreException} if Redis refused a request, is not
 * reachable or did not answer. In this case, the order may have been sent nevertheless.
 * <p>
 * Thread safe.
 */
public final class JobProcesses {

	private final ProcessStore store;

	private final OperatorChange.Listener activity;

	/** Create a view of processes. */
	public JobProcesses(RedisConnections connections, String prefix) {
		this(connections, prefix, OperatorChange.Listener.LOG);
	}

	/** Create a view of processes. The listener is notified of each order. */
	public JobProcesses(RedisConnections connections, String prefix, OperatorChange.Listener activity) {
		this.store = new ProcessStore(connections, prefix);
		this.activity = activity;
	}

	/**
	 * Return all processes that run jobs, sorted by name. Each process is shown as it was
	 * at its last heartbeat. Takes two round trips. A process that was killed is still
	 * listed for up to twelve heartbeat intervals.
	 */
	public List<JobProcess> list() {
		return this.store.processes()
			.entrySet()
			.stream()
			.map((process) -> JobProcess.of(process.getKey(), process.getValue()))
			.toList();
	}

	/**
	 * Order a process to take no more jobs. Its running jobs continue. The process stays
	 * quiet until it is restarted.
	 * @param process the {@link JobProcess#name() name} of the process
	 * @return whether there is such a process
	 */
	public ProcessOrder quiet(String process) {
		return instruct(process, Instruction.QUIET, "quiet", "take no more jobs");
	}

	/**
	 * Order a process to stop: it takes no more jobs, gives its running jobs
	 * {@code steadyjobs.shutdown-timeout} to end, and puts jobs that do not end in time
	 * back at the head of their queue. With Spring Boot, this closes the whole
	 * application, as the signal TERM does, unless {@code steadyjobs.worker.remote-stop}
	 * is set to {@code workers}. Without Spring Boot, it only stops the workers.
	 * @return whether there is such a process
	 */
	public ProcessOrder stop(String process) {
		return instruct(process, Instruction.STOP, "stop", "stop");
	}

	/**
	 * Order a process to dump its threads. The dump is written to the log of the process.
	 * It is also kept for ten minutes, for {@link #threadDump(String, long)} to read.
	 * @return whether there is such a process, and the number of the order
	 */
	public ProcessOrder threadDump(String process) {
		return instruct(process, Instruction.DUMP, "thread-dump", "dump its threads");
	}

	/**
	 * Read the thread dump that a process was ordered to write.
	 * @param number the {@link ProcessOrder#number() number} of the order
	 * @return the stack traces of all threads, starting with those that run jobs, at most
	 * 256 K characters; empty if the process has not answered yet, or answered more than
	 * ten minutes ago
	 */
	public Optional<String> threadDump(String process, long number) {
		Assert.notNull(process, "'process' must not be null; pass the name of a process");
		Assert.isTrue(number > 0, "'number' must be the number of an order that was sent");
		return Optional.ofNullable(this.store.threadDump(process, number));
	}

	private ProcessOrder instruct(String process, Instruction instruction, String action, String what) {
		Assert.notNull(process, "'process' must not be null; pass the name of a process");
		long number = this.store.instruct(process, instruction);
		if (number == 0) {
			return new ProcessOrder(process, ProcessOrder.Result.NO_SUCH_PROCESS, 0);
		}
		this.activity.changed(
				OperatorChange.of(action, "Process %s is ordered to %s".formatted(process, what), "process", process));
		return new ProcessOrder(process, ProcessOrder.Result.SENT, number);
	}

}
