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
 * One call of a script, which may be sent more than once. Not thread safe.
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
	 * Create a call of a script that works on chosen keys.
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

	/** Add an argument of any characters. */
	public ScriptCall addText(String text) {
		return add(text.getBytes(StandardCharsets.UTF_8));
	}

	public ScriptCall add(long number) {
		this.bytes.add(number);
		return this;
	}

	/** Add an argument, which must not be changed any more. */
	public ScriptCall add(byte[] bytes) {
		this.bytes.add(bytes);
		return this;
	}

	/**
	 * Send this call to where its keys are.
	 * @return the answer, within twice the time, or a
	 * {@link io.github.steadyjobs.JobStoreException} that says why there is none
	 */
	RedisCall send(NodeConnections connections, Duration timeout) {
		RedisCall call = withRoute(connections, timeout);
		call.send(connections);
		return call;
	}

	/**
	 * Send several calls, in one flush per node.
	 * @return the answers, each as for {@link #send}
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
	 * Send this call to one server, even if its keys have moved to another.
	 * @return the answer, as for {@link #send}
	 */
	RedisCall sendTo(HeldConnection held, Duration timeout) {
		RedisCall call = withRoute(null, timeout);
		call.sendTo(held);
		return call;
	}

	/**
	 * Make the call to be sent.
	 * @param route the route of further copies, {@code null} if they must use the same
	 * connection
	 */
	RedisCall withRoute(@Nullable NodeConnections route, Duration timeout) {
		return new RedisCall(
				(byText) -> byText ? this.bytes.behind(CommandType.EVAL, this.target.headByText()) : this.bytes,
				timeout, route, this.target.keys());
	}

}
