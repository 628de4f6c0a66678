package io.github.steadyjobs.redis;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.stream.IntStream;

import io.lettuce.core.codec.ByteArrayCodec;
import io.lettuce.core.protocol.Command;
import io.lettuce.core.protocol.CommandArgs;
import io.lettuce.core.protocol.CommandType;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link CommandBytes}. The bytes that Lettuce writes are the expected values.
 */
class CommandBytesTests {

	private final CommandArgs<byte[], byte[]> args = new CommandArgs<>(ByteArrayCodec.INSTANCE);

	@Test
	void writeToWhenThereAreNoArgumentsWritesName() {
		assertThat(written(new CommandBytes(CommandType.PING))).isEqualTo("*1\r\n$4\r\nPING\r\n");
	}

	@Test
	void writeToWritesWhatLettuceWrites() {
		CommandBytes command = new CommandBytes(CommandType.SET);
		for (String text : new String[] { "", "a", "0123456789" }) {
			command.add(text);
			this.args.add(text);
		}
		for (long number : new long[] { 0, -1, 10, Long.MAX_VALUE, Long.MIN_VALUE }) {
			command.add(number);
			this.args.add(number);
		}
		assertThat(written(command)).isEqualTo(byLettuce(CommandType.SET));
	}

	@ParameterizedTest
	@ValueSource(ints = { 1, 9, 10, 99, 100, 255, 256, 16_383, 16_384, 16_385, 40_000, 1_000_000 })
	void writeToWhenArgumentsAreOfAnySizeWritesWhatLettuceWrites(int size) {
		CommandBytes command = new CommandBytes(CommandType.SET);
		byte[] bytes = bytes(size);
		for (int i = 0; i < 5; i++) {
			command.add(bytes).add(i);
			this.args.add(bytes).add(i);
		}
		assertThat(written(command)).isEqualTo(byLettuce(CommandType.SET));
	}

	@Test
	void writeToWhenThereAreManyArgumentsWritesWhatLettuceWrites() {
		CommandBytes command = new CommandBytes(CommandType.EVALSHA);
		IntStream.range(0, 4002).forEach((i) -> {
			command.add(bytes(i % 300));
			this.args.add(bytes(i % 300));
		});
		assertThat(written(command)).isEqualTo(byLettuce(CommandType.EVALSHA));
	}

	@Test
	void writeToWhenRepeatedWritesTheSame() {
		CommandBytes command = new CommandBytes(CommandType.SET).add(bytes(100_000)).add("b");
		assertThat(written(command)).isEqualTo(written(command));
	}

	@ParameterizedTest
	@ValueSource(ints = { 10, 100_000 })
	void behindWritesTheSameArgumentsBehindAnotherHead(int size) {
		CommandBytes command = new CommandBytes(CommandType.EVALSHA,
				CommandBytes.head(CommandType.EVALSHA, bytes(40), bytes(1)), 3)
			.add(bytes(size))
			.add("b");
		CommandBytes other = command.behind(CommandType.EVAL,
				CommandBytes.head(CommandType.EVAL, bytes(30_000), bytes(1)));
		this.args.add(bytes(30_000)).add(bytes(1)).add(bytes(size)).add("b");
		assertThat(written(other)).isEqualTo(byLettuce(CommandType.EVAL));
		assertThat(other.type()).isEqualTo(CommandType.EVAL);
	}

	@Test
	void addWhenArgumentIsLargeDoesNotCopyIt() {
		byte[] large = bytes(1 << 20);
		CommandBytes command = new CommandBytes(CommandType.SET).add(large);
		large[0] = 'B';
		assertThat(written(command)).startsWith("*2\r\n$3\r\nSET\r\n$1048576\r\nBaaa");
	}

	@Test
	void toStringShowsNoArguments() {
		assertThat(new CommandBytes(CommandType.SET).add("secret")).hasToString("SET");
	}

	private static byte[] bytes(int size) {
		byte[] bytes = new byte[size];
		Arrays.fill(bytes, (byte) 'a');
		return bytes;
	}

	private static String written(CommandBytes command) {
		ByteBuf buffer = Unpooled.buffer(1);
		command.writeTo(buffer);
		return buffer.toString(StandardCharsets.ISO_8859_1);
	}

	private String byLettuce(CommandType type) {
		ByteBuf buffer = Unpooled.buffer();
		new Command<byte[], byte[], Object>(type, null, this.args).encode(buffer);
		return buffer.toString(StandardCharsets.ISO_8859_1);
	}

}
