package io.github.steadyjobs.redis;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

import io.github.steadyjobs.redis.KeySpace.QueueKeys;
import io.lettuce.core.protocol.CommandArgs;
import io.lettuce.core.protocol.CommandType;
import org.jspecify.annotations.Nullable;

import org.springframework.util.Assert;

/**
 * One call of a script, which may be sent more than once. Not thread safe.
 */
final class ScriptCall {

	private final JobScript script;

	private final byte[][] keys;

	private final List<Object> arguments = new ArrayList<>();

	private ScriptCall(JobScript script, byte[][] keys) {
		this.script = script;
		this.keys = keys;
	}

	/**
	 * Create a call of a script that works on one queue.
	 */
	static ScriptCall of(JobScript script, QueueKeys queue) {
		return new ScriptCall(script, queue.of(script));
	}

	/**
	 * Create a call of a script that works on chosen keys.
	 * @param keys the keys, in the order in which the script names them
	 */
	static ScriptCall on(JobScript script, byte[]... keys) {
		Assert.isTrue(keys.length == script.keys().size(), () -> script + " takes the keys " + script.keys());
		return new ScriptCall(script, keys);
	}

	/**
	 * Add an argument of ASCII characters.
	 */
	ScriptCall add(String ascii) {
		this.arguments.add(ascii);
		return this;
	}

	ScriptCall add(long number) {
		this.arguments.add(number);
		return this;
	}

	ScriptCall add(byte[] bytes) {
		this.arguments.add(bytes);
		return this;
	}

	/**
	 * Send this call to where its keys are.
	 * @return the answer, within twice the time, or a
	 * {@link io.github.steadyjobs.JobStoreException} why there is none
	 */
	RedisCall send(NodeConnections connections, Duration timeout) {
		return sendAll(connections, List.of(this), timeout).get(0);
	}

	/**
	 * Send this call to where its keys are, again if need be, and wait for the answer.
	 * @param timeout how long to try
	 * @throws io.github.steadyjobs.JobStoreException if there is no answer in time, or
	 * none that helps
	 */
	List<Object> run(NodeConnections connections, Duration timeout) {
		return Answers.ask(() -> send(connections, connections.ofOneCopy(timeout)), timeout);
	}

	/**
	 * Send several calls, in one flush a node.
	 * @return the answers, each as that of {@link #send}
	 */
	static List<RedisCall> sendAll(NodeConnections connections, List<ScriptCall> calls, Duration timeout) {
		List<RedisCall> sent = new ArrayList<>(calls.size());
		for (ScriptCall call : calls) {
			sent.add(call.withRoute(connections, timeout));
		}
		connections.send(sent);
		return sent;
	}

	/**
	 * Send this call to one server, even if its keys have moved to another.
	 * @return the answer, as that of {@link #send}
	 */
	RedisCall sendTo(HeldConnection held, Duration timeout) {
		RedisCall call = withRoute(null, timeout);
		held.send(List.of(call));
		return call;
	}

	private RedisCall withRoute(@Nullable NodeConnections route, Duration timeout) {
		return new RedisCall(
				(byText) -> byText ? new Sent(CommandType.EVAL, arguments(this.script.source()), timeout)
						: new Sent(CommandType.EVALSHA, arguments(this.script.digest()), timeout),
				List.of(this.keys), route);
	}

	private CommandArgs<byte[], byte[]> arguments(byte[] script) {
		CommandArgs<byte[], byte[]> args = Sent.args().add(script).add(this.keys.length).addKeys(this.keys);
		for (Object argument : this.arguments) {
			if (argument instanceof byte[] bytes) {
				args.add(bytes);
			}
			else if (argument instanceof Long number) {
				args.add(number);
			}
			else {
				args.add((String) argument);
			}
		}
		return args;
	}

}
