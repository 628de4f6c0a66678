package io.github.steadyjobs.redis;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;

import io.lettuce.core.RedisCommandExecutionException;
import io.lettuce.core.protocol.CommandArgs;
import io.lettuce.core.protocol.CommandType;

/**
 * Finds out what the user of Redis may not do, without the right to ask for it: calls
 * every command with arguments that it refuses. Permissions come first.
 */
final class PermissionProbe {

	private static final String SCRIPT = new String(ScriptSource.read("permissions").text(), StandardCharsets.UTF_8);

	private static final String READ_ONLY = "#!lua flags=no-writes\n";

	/**
	 * The first one calls all others, save these: scripts may not.
	 */
	private static final List<CommandType> SENT = List.of(CommandType.EVAL, CommandType.EVALSHA, CommandType.INFO,
			CommandType.BLPOP, CommandType.WAIT);

	private static final String NO_DIGEST = "0".repeat(40);

	private final HeldConnection held;

	private final Duration timeout;

	private final byte[] key;

	PermissionProbe(HeldConnection held, Duration timeout, byte[] key) {
		this.held = held;
		this.timeout = timeout;
		this.key = key;
	}

	/**
	 * Try a rule.
	 * @param rule what is needed
	 * @param flags whether the server knows flags of scripts, as Redis 7 does
	 * @return what of it is denied
	 */
	Denials probe(AccessRule rule, boolean flags) {
		List<CompletableFuture<List<String>>> answers = new ArrayList<>();
		for (CommandType type : SENT) {
			if (rule.commands().contains(name(type))) {
				answers.add(send(type, rule, flags));
			}
		}
		SortedSet<String> refused = new TreeSet<>();
		long deadline = System.nanoTime() + this.timeout.toNanos();
		answers.forEach((answer) -> refused.addAll(Waiting.await(answer, deadline)));
		boolean key = refused.remove("key");
		return new Denials(refused, key ? rule.keys() : "", rule.toString());
	}

	private CompletableFuture<List<String>> send(CommandType type, AccessRule rule, boolean flags) {
		Sent command = new Sent(type, arguments(type, rule, flags), this.timeout).on(this.held.get());
		return command.handle((answer, error) -> {
			if (error == null) {
				return (type == CommandType.EVAL) ? answer.stream().map(Answers::ascii).toList() : List.of();
			}
			if (!(error instanceof RedisCommandExecutionException)) {
				throw new CompletionException(error);
			}
			if (!RedisErrors.isDenied(error)) {
				return List.of();
			}
			return List.of(RedisErrors.isKeyDenied(error) ? "key" : name(type));
		});
	}

	private CommandArgs<byte[], byte[]> arguments(CommandType type, AccessRule rule, boolean flags) {
		CommandArgs<byte[], byte[]> args = Sent.args();
		switch (type) {
			case EVAL -> {
				args.add(flags ? READ_ONLY + SCRIPT : SCRIPT).add(1).addKey(this.key);
				rule.commands()
					.stream()
					.filter((name) -> SENT.stream().noneMatch((sent) -> name(sent).equals(name)))
					.forEach(args::add);
			}
			case EVALSHA -> args.add(NO_DIGEST).add(0);
			case INFO -> args.add("server");
			case WAIT -> args.add("no-number").add(0);
			default -> args.addKey(this.key).add("no-number");
		}
		return args;
	}

	private static String name(CommandType type) {
		return type.name().toLowerCase(Locale.ROOT);
	}

}
