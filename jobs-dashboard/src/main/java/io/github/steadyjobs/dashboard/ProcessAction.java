package io.github.steadyjobs.dashboard;

import java.util.function.BiFunction;

import io.github.steadyjobs.admin.JobProcesses;
import io.github.steadyjobs.admin.ProcessOrder;

/**
 * Instructs a process to become quiet, to stop or to dump its threads.
 */
final class ProcessAction extends Action {

	private final JobProcesses processes;

	private final Order order;

	ProcessAction(JobProcesses processes, Order order) {
		super(Visit.text(order), Area.PROCESSES, order.role);
		this.processes = processes;
		this.order = order;
	}

	static String address(Order order, String process) {
		return Address.of(Visit.text(order), "process", process);
	}

	@Override
	Question question(Visit visit) {
		String process = visit.required("process");
		String worker = (this.order == Order.THREAD_DUMP) ? visit.text("worker") : null;
		Question question = new Question(name(), name(), Plain.line(process)).field(Field.hidden("process", process))
			.backTo((worker != null) ? Area.RUNNING.address() : ProcessesPage.address(process));
		if (worker != null) {
			question.field(Field.hidden("worker", worker));
		}
		return (this.order == Order.THREAD_DUMP) ? question : question.cannotBeUndone();
	}

	@Override
	Redirect perform(Visit visit) {
		String process = visit.required("process");
		ProcessOrder sent = this.order.sender.apply(this.processes, process);
		if (sent.result() == ProcessOrder.Result.NO_SUCH_PROCESS) {
			return Redirect.to(Notice.PROCESS_GONE, Area.PROCESSES.page());
		}
		return (this.order == Order.THREAD_DUMP) ? Redirect.to(this.order.notice, DumpPage.NAME, "process", process,
				"number", sent.number(), "worker", visit.text("worker"))
				: Redirect.to(this.order.notice, Area.PROCESSES.page());
	}

	/** The instructions that a process can receive. */
	enum Order {

		QUIET(Role.OPERATE, JobProcesses::quiet, Notice.QUIET_SENT),

		STOP(Role.ADMINISTER, JobProcesses::stop, Notice.STOP_SENT),

		THREAD_DUMP(Role.OPERATE, JobProcesses::threadDump, Notice.DUMP_SENT);

		private final Role role;

		private final BiFunction<JobProcesses, String, ProcessOrder> sender;

		private final Notice notice;

		Order(Role role, BiFunction<JobProcesses, String, ProcessOrder> sender, Notice notice) {
			this.role = role;
			this.sender = sender;
			this.notice = notice;
		}

		Role role() {
			return this.role;
		}

	}

}
