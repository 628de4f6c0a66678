package io.github.steadyjobs.redis;

import java.nio.charset.StandardCharsets;
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
 * Reads the state of queues and of the server, and changes nothing. Each call fails with
 * a {@link JobStoreException} if Redis refused, is not reachable or did not answer.
 * Thread safe.
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
	 * Return which Redis this is, for messages.
	 * @return its address and the prefix of keys, without passwords
	 */
	public String redis() {
		return this.redis.get();
	}

	/** Return the names of all queues that were pushed to and not forgotten. */
	public List<String> queues() {
		return this.calls.queues();
	}

	/**
	 * Measure queues, all in one round trip, which is not repeated.
	 * @return samples by queue, in order; queues that refused, are not reachable or did
	 * not answer within five seconds are left out
	 * @throws JobStoreException if all of them are left out
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
	 * Measure queues like {@link #sample}, but by the names that applications know: all
	 * shards of a queue count together, both those in Redis and those that are given.
	 * @param queues which queues to measure besides those that were pushed to
	 * @return samples by queue, in order; a queue of which a shard did not answer is left
	 * out
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
	 * Measure how long the oldest job of each queue has waited, all in one round trip.
	 * @return the times by queue, without those that did not answer
	 */
	public Map<String, Duration> lags(List<String> queues) {
		Map<String, Duration> lags = new HashMap<>();
		sample(queues).forEach((queue, sample) -> lags.put(queue, sample.latency()));
		return lags;
	}

	/**
	 * Read the identity of the data set of queues, all in one round trip.
	 * @return the data sets by queue, with an empty epoch if there are no data; queues
	 * that do not answer are left out
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
	 * Return why Redis may have lost data, and what to do.
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
	 * Find queues that were pushed to and that no process serves.
	 * @param served queues that need no look
	 * @return the names of the others, if no process has joined them
	 */
	public List<String> unserved(Set<String> served) {
		List<String> others = queues().stream().filter((queue) -> !served.contains(queue)).toList();
		List<CompletableFuture<Long>> processes = this.commands.hashLengths(this.calls.keys(others, QueuePart.BEATS));
		// The trouble with a queue that does not answer is logged elsewhere.
		Map<String, Long> counts = Answers.awaitAll(others, processes, this.commands.deadline(),
				(queue, ex) -> logger.debug("The processes of queue {} cannot be read", queue, ex));
		return others.stream().filter((queue) -> counts.getOrDefault(queue, 1L) == 0).toList();
	}

	/**
	 * Find queues that have neither jobs nor processes, nor future ticks, nor a pause.
	 * One that cannot be read counts as used.
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
	 * Find keys of queues that hold a value of a wrong type, all in one round trip. Meant
	 * for use after a {@code WRONGTYPE} error, which does not name the key.
	 */
	public List<WrongType> wrongTypes(Collection<String> queues) {
		return WrongType.inQueues(queues, this.calls);
	}

	/**
	 * Find all keys that hold a value of a wrong type.
	 * @return the keys; those of queues only if the names of queues can be read
	 */
	public List<WrongType> wrongTypes() {
		List<WrongType> wrong = new ArrayList<>(WrongType.outsideOfQueues(this.calls));
		String names = new String(this.keys.queueNames(), StandardCharsets.UTF_8);
		if (wrong.stream().map(WrongType::key).noneMatch(names::equals)) {
			wrong.addAll(wrongTypes(queues()));
		}
		return wrong;
	}

	/** Ask the server for its product and version. */
	public ServerVersion serverVersion() {
		return ServerVersion.of(this.commands.info(this.keys.queueNames(), "server"));
	}

	/**
	 * The contents of a queue at one moment.
	 *
	 * @param ready number of jobs that wait for a worker
	 * @param latency how long the oldest job that is ready, or due and not moved yet, has
	 * waited
	 * @param scheduled number of jobs that are due later
	 * @param retries number of failed jobs that run again later
	 * @param dead number of dead jobs
	 * @param parked number of jobs that were set aside
	 * @param working number of jobs that run
	 * @param suspects number of jobs that wait to run alone, because processes died with
	 * them
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
	 * What distinguishes the data set of a queue from an older or an empty one.
	 *
	 * @param epoch a name that was given to it when the queue was created
	 * @param seq the number of its changes, greater than that of any earlier data set
	 */
	public record DataSet(String epoch, long seq) {

		private static DataSet of(List<Object> values) {
			return values.contains(null) ? new DataSet("", 0)
					: new DataSet(Answers.text(values, 0), Long.parseLong(Answers.text(values, 1)));
		}

	}

}
