package io.github.steadyjobs.redis;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

import io.github.steadyjobs.redis.KeySpace.QueueKeys;
import io.lettuce.core.protocol.CommandType;
import org.jspecify.annotations.Nullable;

import org.springframework.util.Assert;

/**
 * A call of a script. The call may be sent more than once. Not thread safe.
 */
public final class ScriptCall {

	private final ScriptTarget target;

	private final CommandBytes bytes;

	private ScriptCall(ScriptTarget target) {
		this.target = target;
		this.bytes = new CommandBytes(CommandType.EVALSHA, target.head(), target.elements());
	}

	static ScriptCall of(JobScript script, QueueKeys queue) {
		return new ScriptCall(queue.of(script));
	}

	/**
	 * Create a call of a script with the given keys.
	 * @param keys the keys, in the order in which the script names them
	 */
	public static ScriptCall on(JobScript script, byte[]... keys) {
		Assert.isTrue(keys.length == script.keys().size(), () -> script + " takes the keys " + script.keys());
		return new ScriptCall(ScriptTarget.of(script, keys));
	}

	/** Add an argument of ASCII characters. */
	public ScriptCall add(String ascii) {
		this.bytes.add(ascii);
		return this;
	}

	/** Add an argument that may contain any characters. */
	public ScriptCall addText(String text) {
		return add(text.getBytes(StandardCharsets.UTF_8));
	}

	public ScriptCall add(long number) {
		this.bytes.add(number);
		return this;
	}

	/** Add an argument. The array must not be changed afterwards. */
	public ScriptCall add(byte[] bytes) {
		this.bytes.add(bytes);
		return this;
	}

	/**
	 * Send this call to the node of its keys.
	 * @param timeout how long each copy of the call may be under way
	 * @return a future that completes within twice the timeout, with the answer or a
	 * {@link io.github.steadyjobs.JobStoreException} that says why there is no answer
	 */
	RedisCall send(NodeConnections connections, Duration timeout) {
		RedisCall call = withRoute(connections, timeout);
		call.send(connections);
		return call;
	}

	/**
	 * Send several calls in one flush per node.
	 * @return the answers, each as from {@link #send}
	 */
	static List<RedisCall> sendAll(NodeConnections connections, List<ScriptCall> calls, Duration timeout) {
		List<RedisCall> sent = new ArrayList<>(calls.size());
		for (ScriptCall call : calls) {
			sent.add(call.withRoute(connections, timeout));
		}
		RedisCall.sendAll(connections, sent);
		return sent;
	}

	/**
	 * Send this call to one server, even if its keys have moved to another server.
	 * @return the answer, as from {@link #send}
	 */
	RedisCall sendTo(HeldConnection held, Duration timeout) {
		RedisCall call = withRoute(null, timeout);
		call.sendTo(held);
		return call;
	}

	/**
	 * Create the call to send.
	 * @param route the connections for further copies; {@code null} if all copies must be
	 * sent to the same server
	 */
	RedisCall withRoute(@Nullable NodeConnections route, Duration timeout) {
		return new RedisCall(
				(byText) -> byText ? this.bytes.behind(CommandType.EVAL, this.target.headByText()) : this.bytes,
				timeout, route, this.target.keys());
	}

}
