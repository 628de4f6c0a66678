package io.github.steadyjobs.ordered;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.IntStream;

import io.github.steadyjobs.JobStoreException;
import io.github.steadyjobs.redis.Answers;
import io.github.steadyjobs.redis.Declared;
import io.github.steadyjobs.redis.JobScript;
import io.github.steadyjobs.redis.QueueRef;
import io.github.steadyjobs.redis.RedisConnections;
import io.github.steadyjobs.redis.RedisErrors;
import io.github.steadyjobs.redis.ScriptCall;
import io.github.steadyjobs.redis.StoreCalls;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import org.springframework.util.Assert;

/**
 * Knows how many shards each queue of ordered jobs has, and changes that number. Thread
 * safe.
 * <p>
 * If the count changes, a key may belong to another shard. So two counts must never be in
 * use at the same time while there are jobs, or two jobs of a key might run in parallel.
 * Each count has a version. Each shard keeps the highest version that it has seen, and
 * accepts no jobs from producers that know a lower version. To change the count, every
 * shard is closed by raising its version; a shard with jobs refuses to be closed. The new
 * count is written only when all shards are closed, and only if the old count is
 * unchanged. If a change is interrupted earlier, the old count stays valid, and the first
 * producer that finds a closed shard opens it again by giving the old count the version
 * of that shard. This procedure needs neither expiring keys nor a leader.
 */
public class ShardRegistry {

	static final JobScript CLOSE_SHARD = JobScript.of(ShardRegistry.class, "close-shard");

	private static final Logger logger = LoggerFactory.getLogger(ShardRegistry.class);

	private final StoreCalls calls;

	private final Map<String, Count> known = new ConcurrentHashMap<>();

	public ShardRegistry(RedisConnections connections, String prefix) {
		this.calls = StoreCalls.of(connections, prefix);
	}

	/**
	 * Return how many shards a queue has, as far as this process knows. Asks Redis only
	 * on the first call for the queue.
	 * @param declared the number that the job declares, which applies if there is no
	 * count yet
	 * @throws JobStoreException if Redis refused the call, is not reachable or did not
	 * answer
	 */
	public Count current(String queue, int declared) {
		Count count = this.known.get(queue);
		return (count != null) ? count : replace(queue, null, new Count(1, declared), this::ask);
	}

	/**
	 * Ask again how many shards a queue has, after a shard answered that it knows a
	 * higher version. Gives the old count that version if a change was interrupted.
	 * @param version the version of that shard
	 * @return a count with at least this version
	 * @throws IllegalStateException if this process never asked for the count
	 * @throws JobStoreException if Redis refused the call, is not reachable or did not
	 * answer
	 */
	public Count refresh(String queue, int version) {
		Count count = this.known.get(queue);
		Assert.state(count != null, () -> "The number of shards of queue '%s' was never asked for".formatted(queue));
		while (count.version() < version) {
			count = replace(queue, count, new Count(version, count.shards()), this::ask);
		}
		return count;
	}

	/**
	 * Find out how many shards a queue has, and change that number if its job declares
	 * another number and no shard has jobs. Logs a warning if the declared number does
	 * not apply. Called when the workers start.
	 * @param declared the number that the job declares
	 * @param deadline the {@link System#nanoTime()} at which to give up
	 * @return the count that applies
	 * @throws JobStoreException if Redis refused the call, is not reachable or did not
	 * answer in time; the method can then be called again
	 */
	public Count settle(String queue, int declared, long deadline) {
		Function<ScriptCall, List<Object>> asker = (call) -> askOnce(call, deadline);
		Count count = replace(queue, null, new Count(1, declared), asker);
		while (count.shards() != declared) {
			String refusal = close(queue, count, asker);
			Count next = new Count(count.version() + 1, refusal.isEmpty() ? declared : count.shards());
			count = replace(queue, count, next, asker);
			if (!refusal.isEmpty() && count.equals(next)) {
				logger.warn(
						"Queue '{}' keeps its {} shards, although its job declares {}: {}. "
								+ "To change the number, let the queue run empty and start a worker again",
						queue, count.shards(), declared, refusal);
				break;
			}
		}
		return count;
	}

	/**
	 * Close all shards to producers that know only this count.
	 * @return why a shard could not be closed, empty if all were closed
	 */
	private String close(String queue, Count count, Function<ScriptCall, List<Object>> asker) {
		for (int i = 0; i < count.shards(); i++) {
			String shard = new QueueRef(queue, i).name();
			ScriptCall call = this.calls.to(CLOSE_SHARD, shard).add(count.version() + 1);
			String answer = Answers.text(asker.apply(call), 0);
			if (!answer.equals("CLOSED")) {
				return answer.equals("BUSY") ? "shard '%s' has jobs".formatted(shard)
						: "a newer release has changed the layout of shard '%s'".formatted(shard);
			}
		}
		return "";
	}

	/**
	 * Write a count if the stored count is still the expected count.
	 * @param expected the count that should be stored now, {@code null} for no count
	 * @return the count that applies now
	 */
	private Count replace(String queue, @Nullable Count expected, Count next,
			Function<ScriptCall, List<Object>> asker) {
		String present = (expected != null) ? expected.toString() : Declared.NONE;
		String stands = write(queue, present, next, asker);
		if (stands.equals(Declared.NONE)) {
			// Redis has lost the count that was expected.
			stands = write(queue, stands, next, asker);
		}
		Count count = Count.parse(queue, stands);
		this.known.put(queue, count);
		return count;
	}

	private String write(String queue, String present, Count next, Function<ScriptCall, List<Object>> asker) {
		ScriptCall call = Declared.change(this.calls.keys().shards(), queue, present, next.toString(), Map.of());
		return Declared.of(asker.apply(call)).version();
	}

	/**
	 * Return the names under which Redis stores a queue. Asks Redis only if the queue may
	 * have shards.
	 * @param name the queue, or {@link QueueRef#allOf all parts} of it
	 * @return the names of its shards, or its own name if it has no shards
	 */
	public CompletableFuture<List<String>> parts(String name) {
		if (!QueueRef.isPart(name)) {
			return CompletableFuture.completedFuture(List.of(name));
		}
		String queue = QueueRef.queueOf(name);
		return this.calls.commands()
			.hashValues(List.of(this.calls.keys().shards()), queue)
			.get(0)
			.thenApply((count) -> (count == null) ? List.of(queue)
					: IntStream.range(0, Count.parse(queue, Answers.ascii(count)).shards())
						.mapToObj((number) -> new QueueRef(queue, number).name())
						.toList());
	}

	List<Object> ask(ScriptCall call) {
		return this.calls.run(call);
	}

	List<Object> askOnce(ScriptCall call, long deadline) {
		Duration left = Duration.ofNanos(Math.max(1, deadline - System.nanoTime()));
		return Answers.await(this.calls.send(call, left), deadline);
	}

	/**
	 * The number of shards of a queue, with its version.
	 *
	 * @param version the version, which grows by one with each change
	 * @param shards the number of shards
	 */
	public record Count(int version, int shards) {

		private static final Pattern FORM = Pattern.compile("([1-9]\\d{0,8}) ([1-9]\\d{0,3})");

		static Count parse(String queue, String text) {
			Matcher parts = FORM.matcher(text);
			if (!parts.matches() || Integer.parseInt(parts.group(2)) > QueueRef.MOST) {
				throw RedisErrors.damaged("the number of shards of queue '%s' is '%s'".formatted(queue, text), null);
			}
			return new Count(Integer.parseInt(parts.group(1)), Integer.parseInt(parts.group(2)));
		}

		/** Return the text that is stored. */
		@Override
		public String toString() {
			return this.version + " " + this.shards;
		}

	}

}
