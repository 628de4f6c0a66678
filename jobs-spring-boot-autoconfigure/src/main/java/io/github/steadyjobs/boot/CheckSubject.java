package io.github.steadyjobs.boot;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.locks.Lock;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Function;
import java.util.stream.Collectors;

import io.github.steadyjobs.audit.AuditReport;
import io.github.steadyjobs.audit.JobAudit;
import io.github.steadyjobs.audit.ViolationKind;
import io.github.steadyjobs.doctor.Doctor;
import org.jspecify.annotations.Nullable;

/**
 * Problems with Redis, found by the doctor, and problems with jobs, found by an audit.
 */
final class CheckSubject {

	private static final int MOST_LISTED = 100;

	private final @Nullable Doctor doctor;

	private final JobAudit audit;

	private final QueueSubject queues;

	private final Lock running = new ReentrantLock();

	CheckSubject(@Nullable Doctor doctor, JobAudit audit, QueueSubject queues) {
		this.doctor = doctor;
		this.audit = audit;
		this.queues = queues;
	}

	EndpointSubject doctor() {
		return new EndpointSubject() {

			@Override
			public Map<String, ?> read(OperationArguments arguments) {
				return examine();
			}

		};
	}

	private Map<String, ?> examine() {
		if (this.doctor == null) {
			throw OperationRefusedException.notFound("The doctor is switched off (steadyjobs.doctor.enabled)");
		}
		return Map.of("findings", this.doctor.examine(), "dataLost", this.doctor.dataLosses());
	}

	EndpointSubject audit() {
		return new EndpointSubject() {

			@Override
			public Map<String, ?> read(OperationArguments arguments) {
				return inspect(null);
			}

			@Override
			public Map<String, ?> read(String queue, OperationArguments arguments) {
				CheckSubject.this.queues.find(queue);
				return inspect(queue);
			}

		};
	}

	private Map<String, ?> inspect(@Nullable String queue) {
		// Allow only one audit at a time, because an audit needs memory for every waiting
		// job.
		if (!this.running.tryLock()) {
			throw OperationRefusedException.conflict("RUNNING",
					"Another audit is running in this process: wait until it has ended");
		}
		try {
			AuditReport report = (queue != null) ? this.audit.run(queue) : this.audit.run();
			Map<String, Object> answer = new LinkedHashMap<>();
			answer.put("violations", report.violations().stream().limit(MOST_LISTED).toList());
			answer.put("remedies",
					report.counts()
						.keySet()
						.stream()
						.filter((kind) -> !kind.remedy().isEmpty())
						.collect(Collectors.toMap(Function.identity(), ViolationKind::remedy)));
			answer.put("counts", report.counts());
			answer.put("looked", report.looked());
			answer.put("unconfirmed", report.unconfirmed());
			return answer;
		}
		finally {
			this.running.unlock();
		}
	}

}
