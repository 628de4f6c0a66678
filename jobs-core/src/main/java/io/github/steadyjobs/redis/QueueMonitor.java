package io.github.steadyjobs.redis;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
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

	private final HeldConnection held;

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
		this.held = connections.commands();
		this.keys = new KeySpace(prefix);
		this.timeout = connections.commandTimeout();
		this.commands = new PlainCommands(this.held, this.timeout);
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
		return this.commands.members(this.keys.queueNames());
	}

	/**
	 * Measure queues, all in one round trip.
	 * @param queues the names of the queues
	 * @return a sample for each, in order
	 * @throws JobStoreException if Redis refused, is not reachable or did not answer
	 */
	public List<QueueSample> sample(List<String> queues) {
		if (queues.isEmpty()) {
			return List.of();
		}
		List<ScriptCall> calls = queues.stream().map(this.keys::queue).map(QueueMonitor::sampleCall).toList();
		return ScriptCall.sendAll(this.held, calls)
			.stream()
			.map((answer) -> QueueSample.of(Waiting.forAnswer(() -> answer, this.held, this.timeout)))
			.toList();
	}

	/**
	 * Ask queues for what tells their data from older ones, all in one flush.
	 * @param queues the names of the queues
	 * @return the data sets by queue, with an empty epoch where there are no data, and
	 * without queues that do not tell
	 * @throws JobStoreException if Redis refused, is not reachable or did not answer
	 */
	public Map<String, DataSet> dataSets(Collection<String> queues) {
		Map<String, CompletableFuture<List<Object>>> answers = new LinkedHashMap<>();
		queues.forEach(
				(queue) -> answers.put(queue, this.commands.hashValues(this.keys.queue(queue).meta(), "epoch", "seq")));
		Map<String, DataSet> sets = new LinkedHashMap<>();
		answers.forEach((queue, answer) -> {
			try {
				List<Object> values = this.commands.await(answer).orElseThrow();
				sets.put(queue, values.contains(null) ? new DataSet("", 0)
						: new DataSet(Answers.text(values, 0), Long.parseLong(Answers.text(values, 1))));
			}
			catch (JobStoreDamagedException | NumberFormatException ex) {
				logger.debug("Queue {} does not tell its data from older ones", queue, ex);
			}
		});
		return sets;
	}

	/**
	 * Return what may have made Redis lose data, and what to do.
	 * @return sentences for people
	 */
	public String causesOfLoss() {
		String others = "its persistence, and what failed over to what.";
		try {
			String policy = ServerFacts.parse(this.commands.info("memory")).getOrDefault("maxmemory_policy", "");
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
		List<CompletableFuture<Long>> processes = new ArrayList<>();
		for (String queue : others) {
			processes.add(this.commands.hashLength(this.keys.queue(queue).beats()));
		}
		List<String> unserved = new ArrayList<>();
		for (int i = 0; i < others.size(); i++) {
			try {
				if (this.commands.await(processes.get(i)).orElse(0L) == 0) {
					unserved.add(others.get(i));
				}
			}
			catch (JobStoreDamagedException ex) {
				// Who serves it cannot be told; that it is damaged is told elsewhere.
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
			wrong.addAll(this.types.ofQueues(queues().stream().filter(KeySpace::isName).toList()));
		}
		return wrong;
	}

	/**
	 * Ask the server for its product and version.
	 * @return what it answered
	 * @throws JobStoreException if Redis refused, is not reachable or did not answer
	 */
	public ServerVersion serverVersion() {
		return ServerVersion.parse(this.commands.info("server"));
	}

	private static ScriptCall sampleCall(QueueKeys keys) {
		return ScriptCall.of(JobScript.SAMPLE, keys.ready(), keys.since(), keys.scheduled(), keys.retries(),
				keys.dead(), keys.parked(), keys.working(), keys.cancelled(), keys.suspects());
	}

}
