package io.github.steadyjobs.server;

import java.util.Comparator;
import java.util.EnumMap;
import java.util.Map;
import java.util.Objects;
import java.util.function.LongConsumer;

import io.github.steadyjobs.redis.ProcessStore.Instruction;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Carries out instructions that operators send to this process through Redis. Each
 * instruction is carried out once. Thread safe.
 */
final class ProcessControl {

	private static final Logger logger = LoggerFactory.getLogger(ProcessControl.class);

	private final Map<Instruction, LongConsumer> actions = new EnumMap<>(Instruction.class);

	private long obeyed;

	ProcessControl on(Instruction instruction, LongConsumer action) {
		this.actions.put(instruction, action);
		return this;
	}

	/** Return the number of the latest instruction that was carried out or begun. */
	synchronized long obeyed() {
		return this.obeyed;
	}

	/**
	 * Handle instructions. Returns at once.
	 * @param numbers the number of the latest instruction of each kind, 0 if there was no
	 * such instruction
	 */
	synchronized void asked(Map<Instruction, Long> numbers) {
		numbers.entrySet()
			.stream()
			.filter((asked) -> asked.getValue() > this.obeyed)
			.sorted(Comparator.comparing(Map.Entry::getValue))
			.toList()
			.forEach((asked) -> {
				this.obeyed = asked.getValue();
				obey(asked.getKey(), asked.getValue());
			});
	}

	/**
	 * Carry out an instruction on a separate thread, because a stop ends the other
	 * threads, and a dump must work even if other threads hang.
	 */
	private void obey(Instruction instruction, long number) {
		logger.info("This process is asked through Redis to {}", switch (instruction) {
			case QUIET -> "take no more jobs";
			case STOP -> "stop";
			case DUMP -> "dump its threads";
		});
		Thread thread = new Thread(() -> {
			try {
				Objects.requireNonNull(this.actions.get(instruction)).accept(number);
			}
			catch (Throwable ex) {
				logger.error("This process could not do what it was asked to", ex);
			}
		}, "jobs-control");
		// A network thread starts this thread, and may have a different class loader.
		thread.setContextClassLoader(ProcessControl.class.getClassLoader());
		thread.start();
	}

}
