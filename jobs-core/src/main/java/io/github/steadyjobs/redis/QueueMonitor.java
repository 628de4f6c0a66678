package io.github.steadyjobs.redis;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import java.util.function.Predicate;
import java.util.function.Supplier;

import io.github.steadyjobs.JobStoreException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Reads the state of queues and of the server, and changes nothing. Unless stated
 * otherwise, each method throws a {@link JobStoreException} if Redis refused the call, is
 * not reachable or did not answer. Thread safe.
 */
public final class QueueMonitor {

	private static final Logger logger = LoggerFactory.getLogger(QueueMonitor.class);

	private final Supplier<String> redis;

	private final StoreCalls calls;

	private final KeySpace keys;

	private final PlainCommands commands;

	public QueueMonitor(RedisConnections connections, String prefix) {
		this.redis = () -> connections.describe(prefix);
		this.calls = StoreCalls.inBackground(connections, prefix);
		this.keys = this.calls.keys();
		this.commands = this.calls.commands();
	}

	/**
	 * Describe the Redis server and the prefix of keys, for messages.
	 * @return the address of the server and the prefix, without passwords
	 */
	public String redis() {
		return this.redis.get();
	}

	/**
	 * Return the names of all queues that have received jobs. Queues that have been
	 * unused for an hour are left out.
	 */
	public List<String> queues() {
		return this.calls.queues();
	}

	/**
	 * Measure several queues in a single round trip.
	 * @return the samples by queue, in the given order; queues that refused the call, are
	 * not reachable or did not answer in time are omitted
	 * @throws JobStoreException if all queues are omitted
	 */
	public Map<String, Sample> sample(Collection<String> queues) {
		List<JobStoreException> failures = new ArrayList<>();
		Map<String, Sample> samples = new LinkedHashMap<>();
		this.calls.runAll(queues, (queue) -> this.calls.to(JobScript.SAMPLE, queue), (queue, ex) -> failures.add(ex))
			.forEach((queue, answer) -> samples.put(queue, Sample.of(answer)));
		if (samples.isEmpty() && !failures.isEmpty()) {
			throw failures.get(failures.size() - 1);
		}
		return samples;
	}

	/**
	 * Measure queues like {@link #sample}, but by the names that applications know: the
	 * samples of all known and given shards of a queue are added up.
	 * @param queues the queues and shards to measure in addition to the queues that have
	 * received jobs
	 * @return the samples by queue, sorted by name; a queue is omitted if one of its
	 * shards did not answer
	 */
	public Map<String, Sample> totals(Collection<String> queues) {
		Set<String> names = new TreeSet<>(queues);
		names.addAll(queues());
		Map<String, Sample> samples = sample(names);
		Map<String, Sample> totals = new TreeMap<>();
		samples.forEach((name, sample) -> totals.merge(QueueRef.queueOf(name), sample, Sample::plus));
		names.stream().filter((name) -> !samples.containsKey(name)).map(QueueRef::queueOf).forEach(totals::remove);
		return totals;
	}

	/**
	 * Measure in one round trip how long the oldest job of each queue has waited.
	 * @return the times by queue; queues that did not answer are omitted
	 */
	public Map<String, Duration> lags(List<String> queues) {
		Map<String, Duration> lags = new HashMap<>();
		sample(queues).forEach((queue, sample) -> lags.put(queue, sample.latency()));
		return lags;
	}

	/**
	 * Read the identity of the data set of each queue in one round trip.
	 * @return the data sets by queue, with an empty epoch if the queue has no data;
	 * queues whose data is damaged are omitted
	 */
	public Map<String, DataSet> dataSets(Collection<String> queues) {
		List<String> names = List.copyOf(queues);
		Map<String, DataSet> sets = new LinkedHashMap<>();
		Answers.awaitAll(names, this.commands.hashValues(this.calls.keys(names, QueuePart.META), "epoch", "seq"),
				this.commands.deadline(), (queue, ex) -> {
					if (ex.reason() != JobStoreException.Reason.DAMAGED) {
						throw ex;
					}
					logger.debug("The data set of queue {} cannot be read", queue, ex);
				})
			.forEach((queue, values) -> {
				try {
					sets.put(queue, DataSet.of(values));
				}
				catch (NumberFormatException ex) {
					logger.debug("The data set of queue {} cannot be read", queue, ex);
				}
			});
		return sets;
	}

	/**
	 * Describe why Redis may have lost data, and what to do. If Redis does not answer,
	 * the description is less specific.
	 * @return sentences for display
	 */
	public String causesOfLoss() {
		String others = "its persistence, and which server failed over to which.";
		try {
			String policy = this.commands.info(this.keys.queueNames(), "memory").getOrDefault("maxmemory_policy", "");
			if (policy.startsWith("allkeys-")) {
				return "It has 'maxmemory-policy %s' and drops keys when its memory is full: set 'noeviction'. Check also %s"
					.formatted(policy, others);
			}
		}
		catch (JobStoreException ex) {
			logger.debug("The policy of Redis is not known", ex);
		}
		return "Check " + others;
	}

	/**
	 * Find queues that have received jobs but that no process serves.
	 * @param served the queues that are known to be served
	 * @return the names of all other queues that no process has joined; queues that do
	 * not answer are omitted
	 */
	public List<String> unserved(Set<String> served) {
		List<String> others = queues().stream().filter((queue) -> !served.contains(queue)).toList();
		List<CompletableFuture<Long>> processes = this.commands.hashLengths(this.calls.keys(others, QueuePart.BEATS));
		// The reason why a queue does not answer is logged elsewhere.
		Map<String, Long> counts = Answers.awaitAll(others, processes, this.commands.deadline(),
				(queue, ex) -> logger.debug("The processes of queue {} cannot be read", queue, ex));
		return others.stream().filter((queue) -> counts.getOrDefault(queue, 1L) == 0).toList();
	}

	/**
	 * Find queues that have no jobs, no processes, no future ticks and no pause. A queue
	 * that cannot be read counts as used.
	 */
	public Set<String> idle(Collection<String> queues) {
		List<String> idle = List.copyOf(queues);
		for (QueuePart hash : List.of(QueuePart.BEATS, QueuePart.PAYLOADS)) {
			idle = those(idle, this.commands.hashLengths(this.calls.keys(idle, hash)), (length) -> length == 0);
		}
		idle = those(idle, this.calls.keys(idle, QueuePart.TICKS).stream().map(this.commands::exists).toList(),
				(exists) -> !exists);
		return Set.copyOf(those(idle, this.commands.hashValues(this.calls.keys(idle, QueuePart.META), "paused"),
				Objects::isNull));
	}

	private <T> List<String> those(List<String> queues, List<? extends CompletableFuture<T>> answers,
			Predicate<T> condition) {
		Map<String, T> found = Answers.awaitAll(queues, answers, this.commands.deadline(),
				(queue, failure) -> logger.debug("Queue {} counts as used", queue, failure));
		return queues.stream().filter((queue) -> found.containsKey(queue) && condition.test(found.get(queue))).toList();
	}

	/**
	 * Find keys that hold a value of a wrong type, among the keys that clients and
	 * workers use.
	 * @return the keys; keys of queues are included only if the names of queues can be
	 * read
	 */
	public List<WrongType> wrongTypes() {
		List<WrongType> wrong = new ArrayList<>(WrongType.outsideOfQueues(this.calls));
		if (wrong.stream().noneMatch(WrongType::holdsQueueNames)) {
			wrong.addAll(WrongType.inQueues(queues(), this.calls));
		}
		return wrong;
	}

	/** Ask the server for its product and version. */
	public ServerVersion serverVersion() {
		return ServerVersion.of(this.commands.info(this.keys.queueNames(), "server"));
	}

	/**
	 * A snapshot of the contents of a queue.
	 *
	 * @param ready the number of jobs that are waiting for a worker
	 * @param latency how long the oldest job has waited, counting both ready jobs and due
	 * jobs that have not become ready yet
	 * @param scheduled the number of delayed jobs that have not become ready yet
	 * @param retries the number of failed jobs that are waiting for a retry
	 * @param dead the number of dead jobs
	 * @param parked the number of parked jobs
	 * @param working the number of jobs that processes hold: running jobs, and jobs that
	 * were claimed before a worker was free for them
	 * @param suspects the number of jobs that are waiting to run alone, because processes
	 * died while running them
	 */
	public record Sample(long ready, Duration latency, long scheduled, long retries, long dead, long parked,
			long working, long suspects) {

		static Sample of(List<Object> answer) {
			return new Sample(Answers.number(answer, 0), Duration.ofMillis(Answers.number(answer, 1)),
					Answers.number(answer, 2), Answers.number(answer, 3), Answers.number(answer, 4),
					Answers.number(answer, 5), Answers.number(answer, 6), Answers.number(answer, 7));
		}

		private Sample plus(Sample other) {
			return new Sample(this.ready + other.ready,
					(this.latency.compareTo(other.latency) > 0) ? this.latency : other.latency,
					this.scheduled + other.scheduled, this.retries + other.retries, this.dead + other.dead,
					this.parked + other.parked, this.working + other.working, this.suspects + other.suspects);
		}

	}

	/**
	 * The identity of the data set of a queue. It distinguishes the data set from an
	 * older or an empty data set.
	 *
	 * @param epoch the name that the data set received when the queue was created
	 * @param seq the number of changes to the data set; the count begins above the
	 * numbers of all earlier data sets
	 */
	public record DataSet(String epoch, long seq) {

		private static DataSet of(List<Object> values) {
			return values.contains(null) ? new DataSet("", 0)
					: new DataSet(Answers.text(values, 0), Long.parseLong(Answers.text(values, 1)));
		}

	}

}
