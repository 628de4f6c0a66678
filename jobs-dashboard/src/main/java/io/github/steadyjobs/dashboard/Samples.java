package io.github.steadyjobs.dashboard;

import java.time.Duration;
import java.time.Instant;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Supplier;
import java.util.stream.Stream;

import io.github.steadyjobs.admin.JobAdmin;
import io.github.steadyjobs.admin.JobHistory;
import io.github.steadyjobs.admin.JobPause;
import io.github.steadyjobs.admin.JobPauses;
import io.github.steadyjobs.admin.JobProcess;
import io.github.steadyjobs.admin.JobProcesses;
import io.github.steadyjobs.admin.QueueState;
import io.github.steadyjobs.doctor.Doctor;
import org.jspecify.annotations.Nullable;

/**
 * The samples that all viewers share.
 */
final class Samples {

	private static final Duration OF_QUEUES = Duration.ofSeconds(5);

	private static final Duration OF_DOCTOR = Duration.ofSeconds(60);

	/** A short time, because the state may have been changed through another process. */
	private static final Duration OF_STATE = Duration.ofSeconds(1);

	private final Outage outage = new Outage();

	private final Trends trends = new Trends();

	private final Sample<List<QueueState>> queues;

	private final Sample<List<JobProcess>> processes;

	private final Sample<List<JobPause>> pauses;

	private final @Nullable Sample<Diagnosis> doctor;

	private final Map<Period, Sample<Runs>> runs = new EnumMap<>(Period.class);

	private final List<Sample<?>> others = new CopyOnWriteArrayList<>();

	Samples(JobAdmin admin, JobProcesses processes, JobPauses pauses, JobHistory history, @Nullable Doctor doctor) {
		this.queues = new Sample<>(OF_QUEUES, () -> {
			List<QueueState> states = admin.queues();
			this.trends.add(Instant.now(), states);
			return states;
		}, this.outage);
		this.processes = new Sample<>(OF_STATE, processes::list, this.outage);
		this.pauses = new Sample<>(OF_STATE, pauses::list, this.outage);
		this.doctor = (doctor != null) ? new Sample<>(OF_DOCTOR, () -> Diagnosis.of(doctor), this.outage) : null;
		for (Period period : Period.values()) {
			this.runs.put(period,
					new Sample<>(period.kept(), () -> period.read(history, null, Instant.now()), this.outage));
		}
	}

	/**
	 * Create another sample, for a value that only a single page shows.
	 * @param kept how long a value is used, unless an action of this process expires it
	 */
	<T> Sample<T> keep(Duration kept, Supplier<T> source) {
		Sample<T> sample = new Sample<>(kept, source, this.outage);
		this.others.add(sample);
		return sample;
	}

	Reading<List<QueueState>> queues() {
		return this.queues.read();
	}

	Reading<List<JobProcess>> processes() {
		return this.processes.read();
	}

	Reading<List<JobPause>> pauses() {
		return this.pauses.read();
	}

	/**
	 * Return the doctor's findings.
	 * @return the findings, {@code null} if the doctor is switched off, if Redis refuses
	 * the commands that the doctor needs, or if the stored data is damaged
	 */
	@Nullable Reading<Diagnosis> diagnosis() {
		return (this.doctor != null) ? this.doctor.readIfPossible() : null;
	}

	/**
	 * Return the runs of a period.
	 * @return the runs, {@code null} if Redis refuses to return them or if the stored
	 * data is damaged
	 */
	@Nullable Reading<Runs> runs(Period period) {
		return Objects.requireNonNull(this.runs.get(period)).readIfPossible();
	}

	Trend trend(String queue) {
		return this.trends.of(queue);
	}

	/** Expire the samples of everything that viewers can change. */
	void expire() {
		this.queues.expire();
		this.processes.expire();
		this.pauses.expire();
		this.others.forEach(Sample::expire);
	}

	/** Return when queues, processes or pauses were last read, {@code null} if never. */
	@Nullable Instant lastAnswer() {
		return Stream.of(this.queues.readAt(), this.processes.readAt(), this.pauses.readAt())
			.filter(Objects::nonNull)
			.max(Instant::compareTo)
			.orElse(null);
	}

}
