package io.github.steadyjobs.redis;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

import io.lettuce.core.protocol.CommandType;
import io.netty.buffer.ByteBuf;

/**
 * The bytes of a command as sent to Redis. The calling thread writes the bytes, so that
 * the network thread, which all calls share, only has to copy a few arrays. A command can
 * be sent several times, but must not be changed after it has been sent.
 */
final class CommandBytes {

	/**
	 * Arguments of at least this many bytes are not copied, and buffers of at least this
	 * size are not enlarged.
	 */
	private static final int LARGE = 1 << 14;

	/** Maximum overhead of an argument in bytes: a sign, the size and two line ends. */
	private static final int FRAME = 15;

	private final CommandType type;

	private final byte[] head;

	private final List<ByteBuffer> full;

	private byte[] buffer;

	private int length;

	private int elements;

	CommandBytes(CommandType type) {
		this(type, head(type), 1);
	}

	/**
	 * Create a command with a shared beginning.
	 * @param head the beginning, as returned by {@link #head}
	 * @param elements the number of elements in the head: the name of the command and its
	 * arguments
	 */
	CommandBytes(CommandType type, byte[] head, int elements) {
		this(type, head, elements, new ArrayList<>(0), new byte[256], 0);
	}

	private CommandBytes(CommandType type, byte[] head, int elements, List<ByteBuffer> full, byte[] buffer,
			int length) {
		this.type = type;
		this.head = head;
		this.elements = elements;
		this.full = full;
		this.buffer = buffer;
		this.length = length;
	}

	/** Write the name of a command and the arguments with which many calls begin. */
	static byte[] head(CommandType type, byte[]... arguments) {
		int size = type.getBytes().length + FRAME;
		for (byte[] argument : arguments) {
			size += argument.length + FRAME;
		}
		CommandBytes head = new CommandBytes(type, new byte[0], 0, List.of(), new byte[size], 0)
			.addCopy(type.getBytes());
		for (byte[] argument : arguments) {
			head.addCopy(argument);
		}
		return Arrays.copyOf(head.buffer, head.length);
	}

	/**
	 * Return a command with the arguments of this command but another head, which must
	 * have the same number of elements.
	 */
	CommandBytes behind(CommandType type, byte[] head) {
		return new CommandBytes(type, head, this.elements, this.full, this.buffer, this.length);
	}

	/** Add an argument of ASCII characters. */
	@SuppressWarnings("deprecation")
	CommandBytes add(String ascii) {
		int size = ascii.length();
		begin(size, size);
		// This method of String is deprecated because it drops the high byte of each
		// character. Here, all high bytes are zero.
		ascii.getBytes(0, size, this.buffer, this.length);
		this.length += size;
		return end();
	}

	CommandBytes add(long number) {
		return add(Long.toString(number));
	}

	/** Add an argument. The array must not be changed afterwards. */
	CommandBytes add(byte[] bytes) {
		if (bytes.length < LARGE) {
			return addCopy(bytes);
		}
		begin(bytes.length, 0);
		this.full.add(ByteBuffer.wrap(this.buffer, 0, this.length));
		this.full.add(ByteBuffer.wrap(bytes));
		renew(256);
		return end();
	}

	private CommandBytes addCopy(byte[] bytes) {
		begin(bytes.length, bytes.length);
		System.arraycopy(bytes, 0, this.buffer, this.length, bytes.length);
		this.length += bytes.length;
		return end();
	}

	private void begin(int size, int copied) {
		this.elements++;
		if (this.buffer.length - this.length < copied + FRAME) {
			makeRoom(copied + FRAME);
		}
		this.buffer[this.length++] = '$';
		this.length = writeNumber(size, this.buffer, this.length);
	}

	private void makeRoom(int room) {
		if (this.buffer.length < LARGE) {
			this.buffer = Arrays.copyOf(this.buffer, Math.max(this.buffer.length * 2, this.length + room));
		}
		else {
			this.full.add(ByteBuffer.wrap(this.buffer, 0, this.length));
			renew(LARGE * 2);
		}
	}

	private void renew(int size) {
		this.buffer = new byte[size];
		this.length = 0;
	}

	private CommandBytes end() {
		this.buffer[this.length++] = '\r';
		this.buffer[this.length++] = '\n';
		return this;
	}

	/**
	 * Write a number and a line end.
	 * @return the index after the line end
	 */
	private static int writeNumber(int number, byte[] to, int at) {
		int end = at + 1;
		for (int rest = number; rest > 9; rest /= 10) {
			end++;
		}
		int rest = number;
		for (int i = end - 1; i >= at; i--) {
			to[i] = (byte) ('0' + rest % 10);
			rest /= 10;
		}
		to[end] = '\r';
		to[end + 1] = '\n';
		return end + 2;
	}

	void writeTo(ByteBuf out) {
		byte[] count = new byte[FRAME];
		count[0] = '*';
		int end = writeNumber(this.elements, count, 1);
		int size = end + this.head.length + this.length;
		for (ByteBuffer part : this.full) {
			size += part.remaining();
		}
		out.ensureWritable(size);
		out.writeBytes(count, 0, end);
		out.writeBytes(this.head);
		for (ByteBuffer part : this.full) {
			out.writeBytes(part.duplicate());
		}
		out.writeBytes(this.buffer, 0, this.length);
	}

	CommandType type() {
		return this.type;
	}

	@Override
	public String toString() {
		// Arguments may contain secrets.
		return this.type.toString();
	}

}
