package io.github.steadyjobs.boot;

import java.util.List;
import java.util.Map;

import io.github.steadyjobs.admin.JobProcess;
import io.github.steadyjobs.admin.JobProcesses;
import io.github.steadyjobs.admin.ProcessOrder;

/**
 * The processes that run jobs. Orders can be sent to them.
 */
final class ProcessSubject implements EndpointSubject {

	private final JobProcesses processes;

	ProcessSubject(JobProcesses processes) {
		this.processes = processes;
	}

	@Override
	public Map<String, ?> read(OperationArguments arguments) {
		return Map.of("processes", this.processes.list());
	}

	@Override
	public Map<String, ?> read(String name, OperationArguments arguments) {
		long dump = arguments.number("dump", 0);
		if (dump > 0) {
			return Map.of("threadDump", this.processes.threadDump(name, dump)
				.orElseThrow(() -> OperationRefusedException.notFound(
						("Process %s has not answered %d yet, or did so more than ten minutes ago: it answers with "
								+ "its next heartbeat")
							.formatted(name, dump))));
		}
		JobProcess process = this.processes.list()
			.stream()
			.filter((candidate) -> candidate.name().equals(name))
			.findFirst()
			.orElseThrow(() -> gone(name));
		return Map.of("process", process);
	}

	@Override
	public Map<String, ?> change(String name, String action, OperationArguments arguments) {
		ProcessOrder order = switch (action) {
			case "quiet" -> this.processes.quiet(name);
			case "stop" -> this.processes.stop(name);
			case "thread-dump" -> this.processes.threadDump(name);
			default -> throw OperationRefusedException.badRequest("'action' must be one of %s, but is '%s'"
				.formatted(List.of("quiet", "stop", "thread-dump"), action));
		};
		if (order.result() == ProcessOrder.Result.NO_SUCH_PROCESS) {
			throw gone(name);
		}
		return Map.of("message",
				"Process %s was told to: %s. It does so with its next heartbeat".formatted(name, action), "number",
				order.number());
	}

	private static OperationRefusedException gone(String name) {
		return OperationRefusedException
			.notFound("There is no process %s: it has ended or never existed".formatted(name));
	}

}
