package io.github.steadyjobs.boot;

import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.stream.Collectors;

import io.github.steadyjobs.JobPayload;
import io.github.steadyjobs.Names;
import io.github.steadyjobs.admin.JobAdmin;
import io.github.steadyjobs.admin.JobEntry;
import io.github.steadyjobs.admin.JobPlace;
import io.github.steadyjobs.admin.JobQuery;
import io.github.steadyjobs.definition.JobRegistry;
import io.github.steadyjobs.doctor.Check;
import io.github.steadyjobs.doctor.Examination;
import io.github.steadyjobs.doctor.Finding;
import io.github.steadyjobs.doctor.Finding.Severity;
import org.jspecify.annotations.Nullable;

/**
 * Makes the doctor report stored jobs that no bean of this application can run, although
 * this application serves their queues. Reads only the first 200 jobs in each place of a
 * queue. Thread safe.
 */
final class UnknownJobsCheck implements Examination {

	private static final int EXAMINED = 200;

	/**
	 * Places in the order in which a job passes through them, so that a job is found even
	 * if a worker moves it to the next place during the check.
	 */
	private static final List<JobPlace> PLACES = List.of(JobPlace.SCHEDULED, JobPlace.READY, JobPlace.WORKING,
			JobPlace.PARKED);

	private static final int MOST_NAMED = 20;

	/**
	 * How long a reading is reused, because health may be requested every few seconds.
	 */
	private static final long KEPT_NANOS = Duration.ofMinutes(1).toNanos();

	private final Supplier<JobAdmin> admin;

	private final JobRegistry registry;

	private final Supplier<List<String>> queues;

	private volatile @Nullable Reading latest;

	/**
	 * Create a check.
	 * @param admin provides the jobs
	 * @param queues provides the names of the queues that this application serves
	 */
	UnknownJobsCheck(Supplier<JobAdmin> admin, JobRegistry registry, Supplier<List<String>> queues) {
		this.admin = admin;
		this.registry = registry;
		this.queues = queues;
	}

	@Override
	public Check check() {
		return Check.UNKNOWN_JOBS;
	}

	@Override
	public boolean needsWorkers() {
		return false;
	}

	@Override
	public Optional<Finding> examine() {
		Reading reading = this.latest;
		if (reading == null || System.nanoTime() - reading.nanos() > KEPT_NANOS) {
			reading = new Reading(find(), System.nanoTime());
			this.latest = reading;
		}
		return reading.finding();
	}

	private Optional<Finding> find() {
		// An application without jobs has no workers and only enqueues.
		if (this.registry.definitions().isEmpty()) {
			return Optional.empty();
		}
		Map<String, String> found = new HashMap<>();
		for (String queue : this.queues.get()) {
			for (JobPlace place : PLACES) {
				for (JobEntry job : this.admin.get().page(JobQuery.of(place).queue(queue).size(EXAMINED)).jobs()) {
					JobPayload payload = job.payload();
					if (payload != null && isUnknown(payload.name(), job)) {
						found.put(job.id(), "'%s' in queue '%s'".formatted(Names.printable(payload.name()), queue));
					}
				}
			}
		}
		return found.isEmpty() ? Optional.empty()
				: Optional.of(finding(found.values()
					.stream()
					.collect(Collectors.groupingBy(Function.identity(), TreeMap::new, Collectors.counting()))));
	}

	private boolean isUnknown(String name, JobEntry job) {
		return this.registry.find(name) == null
				&& (job.place() != JobPlace.PARKED || job.note().startsWith("unknown:"));
	}

	private static Finding finding(Map<String, Long> found) {
		String jobs = found.entrySet()
			.stream()
			.limit(MOST_NAMED)
			.map((entry) -> "%s (%d)".formatted(entry.getKey(), entry.getValue()))
			.collect(Collectors.joining(", "));
		int others = Math.max(0, found.size() - MOST_NAMED);
		return new Finding(Check.UNKNOWN_JOBS, Severity.WARN,
				"Stored jobs that no bean of this application can run, among the first %d scheduled, ready, running and parked jobs of each queue that it serves: %s%s."
					.formatted(EXAMINED, jobs, (others > 0) ? " and %d more names".formatted(others) : ""),
				"Such jobs are parked until a process that has them takes them. If another application has them, there is nothing to do. If a job was renamed, set 'aliases' of its @Job to its old name; if it was removed, delete what is stored.");
	}

	private record Reading(Optional<Finding> finding, long nanos) {

	}

}
