package io.github.steadyjobs.redis;

import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.UnaryOperator;

import io.lettuce.core.api.StatefulConnection;
import io.lettuce.core.codec.ByteArrayCodec;
import io.lettuce.core.output.ArrayOutput;
import io.lettuce.core.protocol.AsyncCommand;
import io.lettuce.core.protocol.Command;
import io.lettuce.core.protocol.CommandArgs;
import io.lettuce.core.protocol.CommandType;

/**
 * One command on a given connection.
 *
 * @param type the command
 * @param arguments adds the arguments
 */
record DirectCommand(CommandType type, UnaryOperator<CommandArgs<byte[], byte[]>> arguments) {

	CompletableFuture<List<Object>> send(StatefulConnection<byte[], byte[]> connection) {
		CommandArgs<byte[], byte[]> args = this.arguments.apply(new CommandArgs<>(ByteArrayCodec.INSTANCE));
		AsyncCommand<byte[], byte[], List<Object>> command = new AsyncCommand<>(
				new Command<>(this.type, new ArrayOutput<>(ByteArrayCodec.INSTANCE), args));
		connection.dispatch(command);
		CompletionStage<List<Object>> answer = command;
		return answer.toCompletableFuture();
	}

}
