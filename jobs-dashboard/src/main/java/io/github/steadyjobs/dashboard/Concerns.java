package io.github.steadyjobs.dashboard;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.function.Predicate;
import java.util.function.ToLongFunction;

import io.github.steadyjobs.admin.JobPause;
import io.github.steadyjobs.admin.JobPause.Kind;
import io.github.steadyjobs.admin.JobProcess;
import io.github.steadyjobs.admin.QueueState;
import io.github.steadyjobs.dashboard.Concern.Level;
import io.github.steadyjobs.dashboard.Snapshot.Running;
import io.github.steadyjobs.doctor.Check;
import io.github.steadyjobs.doctor.Finding;
import io.github.steadyjobs.doctor.Finding.Severity;
import org.jspecify.annotations.Nullable;

/**
 * Finds problems. A problem that many queues or processes have is a single concern.
 */
final class Concerns {

	private static final int MOST_LINKS = 5;

	private final Snapshot snapshot;

	private final Limits limits;

	private final List<Concern> found = new ArrayList<>();

	private Concerns(Snapshot snapshot, Limits limits) {
		this.snapshot = snapshot;
		this.limits = limits;
	}

	/**
	 * Return the concerns, the worst first.
	 * @param diagnosis the doctor's findings, {@code null} if the doctor is switched off
	 * @param died the number of jobs that have died within the last hour
	 */
	static List<Concern> find(Snapshot snapshot, Limits limits, @Nullable Diagnosis diagnosis, long died) {
		Concerns concerns = new Concerns(snapshot, limits);
		if (diagnosis != null) {
			concerns.addDiagnosis(diagnosis);
		}
		concerns.addProcesses();
		concerns.addQueues();
		concerns.addDead(died);
		concerns.addPauses();
		concerns.found.sort(Comparator.comparing(Concern::level));
		return concerns.found;
	}

	private void addDiagnosis(Diagnosis diagnosis) {
		add(Level.BAD, "concern.lost",
				diagnosis.losses()
					.entrySet()
					.stream()
					.map((loss) -> queue("concern.lost.link", loss.getKey(), Plain.line(loss.getValue())))
					.toList());
		for (Finding finding : diagnosis.findings()) {
			// Pauses are left out, because they have a separate concern with links.
			if (finding.check() != Check.PAUSES && finding.severity() != Severity.OFF) {
				this.found.add(new Concern(Level.of(finding.severity()), Plain.line(finding.problem()), List.of(),
						Plain.line(finding.action())));
			}
		}
	}

	private void addProcesses() {
		List<JobProcess> processes = this.snapshot.processes().value();
		if (processes.isEmpty() && this.snapshot.total(QueueState::ready) > 0) {
			this.found.add(new Concern(Level.BAD, Words.of("concern.nobody"), List.of(), ""));
		}
		add(Level.BAD, "concern.silent",
				processes.stream()
					.filter((process) -> this.limits.isSilent(process, this.snapshot.now()))
					.map(JobProcess::name)
					.map((name) -> Link.of("concern.silent.link", name, ProcessesPage.address(name)))
					.toList());
		add(Level.WARNING, "concern.stuck",
				this.snapshot.running()
					.stream()
					.filter((running) -> this.limits.isStuck(running.run(), this.snapshot.now()))
					.map(this::stuck)
					.toList(),
				Format.duration(this.limits.stuckAfter()));
	}

	private Link stuck(Running running) {
		return Link.of("concern.stuck.link", running.run().job(), ProcessesPage.address(running.process().name()),
				Plain.line(running.process().name()));
	}

	private void addQueues() {
		add(Level.BAD, "concern.unserved", queues("concern.unserved.link", this::isUnserved, QueueState::ready));
		add(Level.BAD, "concern.late",
				this.snapshot.queues()
					.value()
					.stream()
					.filter((queue) -> this.limits.isLate(queue) && !isUnserved(queue)
							&& this.snapshot.pauseOf(Kind.QUEUE, queue.name()) == null)
					.sorted(Comparator.comparing(QueueState::latency).reversed())
					.map((queue) -> queue("concern.late.link", queue.name(), Format.duration(queue.latency())))
					.toList(),
				Format.duration(this.limits.lateAfter()));
		add(Level.NOTE, "concern.parked",
				queues("concern.jobs.link", (queue) -> queue.parked() > 0, QueueState::parked),
				this.snapshot.total(QueueState::parked));
	}

	private boolean isUnserved(QueueState queue) {
		return queue.ready() > 0 && !this.snapshot.processes().value().isEmpty()
				&& this.snapshot.serversOf(queue.name()).isEmpty();
	}

	private void addDead(long died) {
		add((died > 0) ? Level.WARNING : Level.NOTE, (died > 0) ? "concern.died" : "concern.dead",
				queues("concern.jobs.link", (queue) -> queue.dead() > 0, QueueState::dead),
				this.snapshot.total(QueueState::dead), died);
	}

	private void addPauses() {
		add(Level.WARNING, "concern.paused", this.snapshot.pauses()
			.value()
			.stream()
			.sorted(Comparator.comparing(JobPause::since))
			.map((pause) -> Link.of("concern.paused.link", pause.name(), address(pause), Plain.line(pause.why())))
			.toList());
	}

	private static String address(JobPause pause) {
		return (pause.kind() == Kind.QUEUE) ? QueuePage.address(pause.name()) : Area.PAUSES.address();
	}

	/** Return links to the queues that match, with the largest counts first. */
	private List<Link> queues(String key, Predicate<QueueState> filter, ToLongFunction<QueueState> count) {
		return this.snapshot.queues()
			.value()
			.stream()
			.filter(filter)
			.sorted(Comparator.comparingLong(count).reversed())
			.map((queue) -> queue(key, queue.name(), count.applyAsLong(queue)))
			.toList();
	}

	private static Link queue(String key, String name, Object detail) {
		return Link.of(key, name, QueuePage.address(name), detail);
	}

	/**
	 * Add a concern, unless the list of links is empty.
	 * @param key the key of the text, whose first argument is the number of links
	 */
	private void add(Level level, String key, List<Link> links, Object... arguments) {
		if (!links.isEmpty()) {
			Object[] all = new Object[arguments.length + 1];
			all[0] = links.size();
			System.arraycopy(arguments, 0, all, 1, arguments.length);
			int others = links.size() - MOST_LINKS;
			this.found.add(new Concern(level, Words.of(key, all), links.subList(0, Math.min(links.size(), MOST_LINKS)),
					(others > 0) ? Words.of("concern.others", others) : ""));
		}
	}

}
