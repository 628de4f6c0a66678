package io.github.steadyjobs.redis;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;

import io.github.steadyjobs.JobStoreDamagedException;
import io.github.steadyjobs.JobStoreException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Looks at queues and at the server, and changes nothing. Thread safe.
 */
public final class QueueMonitor {

	private static final Logger logger = LoggerFactory.getLogger(QueueMonitor.class);

	private final Supplier<String> redis;

	private final NodeConnections connections;

	private final KeySpace keys;

	private final PlainCommands commands;

	private final Duration timeout;

	private final KeyTypes types;

	/**
	 * Create a monitor.
	 * @param connections the connections to use
	 * @param prefix what all keys begin with
	 */
	public QueueMonitor(RedisConnections connections, String prefix) {
		this.redis = () -> connections.describe(prefix);
		this.connections = connections.commands();
		this.keys = connections.keys(prefix);
		this.timeout = connections.shortTimeout();
		this.commands = new PlainCommands(this.connections, this.timeout);
		this.types = new KeyTypes(this.keys, this.commands);
	}

	/**
	 * Return which Redis this is, for people.
	 * @return its address and the prefix of keys, without passwords
	 */
	public String redis() {
		return this.redis.get();
	}

	/**
	 * Return the names of all queues that were ever pushed to.
	 * @return the names
	 * @throws JobStoreException if Redis refused, is not reachable or did not answer
	 */
	public List<String> queues() {
		return this.keys.queues(this.commands);
	}

	/**
	 * Measure queues, all in one round trip, which is not repeated.
	 * @param queues the names of the queues
	 * @return samples by queue, in order; a queue that refused, is not reachable or did
	 * not answer within five seconds is left out
	 * @throws JobStoreException if that is so for all of them
	 */
	public Map<String, QueueSample> sample(Collection<String> queues) {
		List<String> names = List.copyOf(queues);
		List<RedisCall> answers = ScriptCall.sendAll(this.connections,
				names.stream().map((queue) -> ScriptCall.of(JobScript.SAMPLE, this.keys.queue(queue))).toList(),
				this.timeout);
		long deadline = this.commands.deadline();
		Map<String, QueueSample> samples = new LinkedHashMap<>();
		JobStoreException failure = null;
		for (int i = 0; i < names.size(); i++) {
			try {
				samples.put(names.get(i), QueueSample.of(Waiting.await(answers.get(i), deadline)));
			}
			catch (JobStoreException ex) {
				failure = ex;
			}
		}
		if (failure != null && samples.isEmpty()) {
			throw failure;
		}
		return samples;
	}

	/**
	 * Measure how long the oldest job of each queue has waited, all in one round trip.
	 * @param queues the names of the queues
	 * @return the times by queue, without those that did not answer
	 * @throws JobStoreException if Redis refused, is not reachable or did not answer
	 */
	public Map<String, Duration> lags(List<String> queues) {
		Map<String, Duration> lags = new HashMap<>();
		sample(queues).forEach((queue, sample) -> lags.put(queue, sample.latency()));
		return lags;
	}

	/**
	 * Ask queues for what tells their data from older ones, all in one round trip.
	 * @param queues the names of the queues
	 * @return the data sets by queue, with an empty epoch where there are no data, and
	 * without queues that do not tell
	 * @throws JobStoreException if Redis refused, is not reachable or did not answer
	 */
	public Map<String, DataSet> dataSets(Collection<String> queues) {
		List<String> names = List.copyOf(queues);
		List<? extends CompletableFuture<List<Object>>> answers = this.commands.hashValues(
				names.stream().map((queue) -> this.keys.queue(queue).get(QueuePart.META)).toList(), "epoch", "seq");
		long deadline = this.commands.deadline();
		Map<String, DataSet> sets = new LinkedHashMap<>();
		for (int i = 0; i < names.size(); i++) {
			try {
				List<Object> values = Waiting.await(answers.get(i), deadline);
				sets.put(names.get(i), values.contains(null) ? new DataSet("", 0)
						: new DataSet(Answers.text(values, 0), Long.parseLong(Answers.text(values, 1))));
			}
			catch (JobStoreDamagedException | NumberFormatException ex) {
				logger.debug("Queue {} does not tell its data from older ones", names.get(i), ex);
			}
		}
		return sets;
	}

	/**
	 * Return what may have made Redis lose data, and what to do.
	 * @return sentences for people
	 */
	public String causesOfLoss() {
		String others = "its persistence, and what failed over to what.";
		try {
			String policy = ServerFacts.parse(this.commands.info(this.keys.queueNames(), "memory"))
				.getOrDefault("maxmemory_policy", "");
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
	 * @return the names of the others that no process has joined
	 * @throws JobStoreException if Redis refused, is not reachable or did not answer
	 */
	public List<String> unserved(Set<String> served) {
		List<String> others = queues().stream().filter((queue) -> !served.contains(queue)).toList();
		List<CompletableFuture<Long>> processes = this.commands
			.hashLengths(others.stream().map((queue) -> this.keys.queue(queue).get(QueuePart.BEATS)).toList());
		long deadline = this.commands.deadline();
		List<String> unserved = new ArrayList<>();
		for (int i = 0; i < others.size(); i++) {
			try {
				if (Waiting.await(processes.get(i), deadline) == 0) {
					unserved.add(others.get(i));
				}
			}
			catch (JobStoreException ex) {
				// Nobody knows who serves it; what is wrong with it is said elsewhere.
				logger.debug("Queue {} does not tell who serves it", others.get(i), ex);
			}
		}
		return unserved;
	}

	/**
	 * Find keys of queues that hold a value of a wrong type, all in one round trip. To be
	 * asked after an error that names {@code WRONGTYPE}, which does not tell the key.
	 * @param queues the names of the queues
	 * @return the keys
	 * @throws JobStoreException if Redis refused, is not reachable or did not answer
	 */
	public List<WrongType> wrongTypes(Collection<String> queues) {
		return this.types.ofQueues(queues);
	}

	/**
	 * Find all keys that hold a value of a wrong type.
	 * @return the keys; those of queues only if the names of queues can be read
	 * @throws JobStoreException if Redis refused, is not reachable or did not answer
	 */
	public List<WrongType> wrongTypes() {
		List<WrongType> wrong = new ArrayList<>(this.types.outsideOfQueues());
		String names = new String(this.keys.queueNames(), StandardCharsets.UTF_8);
		if (wrong.stream().map(WrongType::key).noneMatch(names::equals)) {
			wrong.addAll(this.types.ofQueues(queues()));
		}
		return wrong;
	}

	/**
	 * Ask the server for its product and version.
	 * @return what it answered
	 * @throws JobStoreException if Redis refused, is not reachable or did not answer
	 */
	public ServerVersion serverVersion() {
		return ServerVersion.parse(this.commands.info(this.keys.queueNames(), "server"));
	}

}
