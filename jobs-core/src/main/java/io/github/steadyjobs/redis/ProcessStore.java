package io.github.steadyjobs.redis;

import java.time.Duration;
import java.util.Collection;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

import io.github.steadyjobs.JobStoreException;
import io.lettuce.core.protocol.CommandType;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Stores reports from processes and instructions to processes. The state of jobs does not
 * depend on this data. Methods that wait for an answer throw a {@link JobStoreException}
 * if Redis refused the call, is not reachable or did not answer. Thread safe.
 */
public final class ProcessStore {

	private static final Logger logger = LoggerFactory.getLogger(ProcessStore.class);

	private final StoreCalls calls;

	private final StoreCalls beats;

	private final KeySpace keys;

	private final PlainCommands commands;

	private final PlainCommands ofProcess;

	public ProcessStore(RedisConnections connections, String prefix) {
		this.calls = StoreCalls.inBackground(connections, prefix);
		// Use the connection for heartbeats, so that no other traffic delays the
		// instructions of operators.
		this.beats = StoreCalls.ofBeats(connections, prefix);
		this.keys = this.calls.keys();
		this.commands = this.calls.commands();
		this.ofProcess = this.beats.commands();
	}

	/** Register the name of a process. Neither blocks nor throws. */
	public void register(String process) {
		this.ofProcess.send(CommandType.SADD, this.keys.processNames(), process);
	}

	/**
	 * Write the report of a process. Neither blocks nor throws.
	 * @param fields the report, at least one field
	 * @param ttl how long the report is kept if it is not written again
	 * @return the number of the latest instruction of each kind from operators; 0 if
	 * there was no such instruction
	 */
	public CompletableFuture<Map<Instruction, Long>> report(String process, Map<String, String> fields, Duration ttl) {
		ScriptCall call = ScriptCall.on(JobScript.REPORT, this.keys.process(process)).add(ttl.toMillis());
		fields.forEach((name, value) -> call.add(name).addText(value));
		return this.beats.send(call).thenApply(Instruction::numbers);
	}

	/**
	 * Store a thread dump of a process for the operators who asked for it. Neither blocks
	 * nor throws.
	 * @param number the number of the latest instruction that the dump answers
	 * @param ttl how long the dump is kept
	 */
	public void keepThreadDump(String process, long number, String text, Duration ttl) {
		this.ofProcess.send(CommandType.SET, this.keys.threadDump(process), number + "\n" + text, "PX", ttl.toMillis());
	}

	/** Remove the name and the report of a process. Waits for the answer. */
	public void remove(String process) {
		this.ofProcess.send(CommandType.DEL, this.keys.process(process));
		this.ofProcess.await(this.ofProcess.send(CommandType.SREM, this.keys.processNames(), process));
	}

	/**
	 * Read the reports of all processes in two round trips, regardless of the number of
	 * processes.
	 * @return the fields of the report of each process, by name of the process; processes
	 * that have been silent for a long time, or whose reports cannot be read, are omitted
	 */
	public Map<String, Map<String, String>> processes() {
		List<String> names = names();
		Map<String, Map<String, String>> processes = new LinkedHashMap<>();
		Answers.awaitAll(names, this.commands.hashes(names.stream().map(this.keys::process).toList()),
				this.commands.deadline(), (process, ex) -> logger.debug("The report of {} cannot be read", process, ex))
			.forEach((process, answer) -> {
				if (!answer.isEmpty()) {
					processes.put(process, fields(answer));
				}
			});
		return processes;
	}

	/**
	 * Return the names of all living processes, and of dead processes that workers have
	 * not removed yet.
	 */
	public List<String> names() {
		return this.commands.members(this.keys.processNames());
	}

	/**
	 * Return which of the given processes have been silent for a long time or have not
	 * reported yet.
	 */
	public Set<String> silent(Collection<String> processes) {
		List<String> names = List.copyOf(processes);
		List<CompletableFuture<Long>> fields = this.commands
			.hashLengths(names.stream().map(this.keys::process).toList());
		return IntStream.range(0, names.size())
			.filter((i) -> this.commands.await(fields.get(i)) == 0)
			.mapToObj(names::get)
			.collect(Collectors.toSet());
	}

	private static Map<String, String> fields(List<Object> answer) {
		Map<String, String> fields = new LinkedHashMap<>();
		for (int i = 0; i < answer.size(); i += 2) {
			fields.put(Answers.utf8(answer.get(i)), Answers.utf8(answer.get(i + 1)));
		}
		return fields;
	}

	/**
	 * Send an instruction to a process. If the connection breaks, the instruction may be
	 * sent twice.
	 * @return the number of the instruction; 0 if there is no such process
	 */
	public long instruct(String process, Instruction instruction) {
		return this.calls
			.number(ScriptCall.on(JobScript.INSTRUCT, this.keys.process(process)).add(instruction.field()));
	}

	/**
	 * Return the latest thread dump of a process, if it is still kept.
	 * @param number the number of the instruction that the dump must answer
	 * @return the dump; {@code null} if there is no dump for this or a later instruction
	 */
	public @Nullable String threadDump(String process, long number) {
		Object kept = this.commands.await(this.commands.send(CommandType.GET, this.keys.threadDump(process))).get(0);
		if (kept == null) {
			return null;
		}
		String text = Answers.utf8(kept);
		int end = text.indexOf('\n');
		return (end > 0 && Instruction.number(text.substring(0, end)) >= number) ? text.substring(end + 1) : null;
	}

	/** An instruction to a process. */
	public enum Instruction {

		/** Take no more jobs. */
		QUIET,

		/** Shut down gracefully. */
		STOP,

		/** Write a dump of all threads. */
		DUMP;

		private static Map<Instruction, Long> numbers(List<Object> answer) {
			Map<Instruction, Long> numbers = new EnumMap<>(Instruction.class);
			for (Instruction instruction : values()) {
				Object number = answer.get(instruction.ordinal());
				numbers.put(instruction, (number != null) ? number(Answers.ascii(number)) : 0);
			}
			return numbers;
		}

		/** Read a number; any other text counts as 0, as if there were no instruction. */
		private static long number(String text) {
			return text.matches("\\d{1,15}") ? Long.parseLong(text) : 0;
		}

		private String field() {
			return name().toLowerCase(Locale.ROOT);
		}

	}

}
