package io.github.steadyjobs.server;

import java.lang.management.ManagementFactory;
import java.lang.management.ThreadInfo;
import java.time.Duration;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * Writes a dump of all threads of this process, beginning with the threads that run jobs.
 */
final class ThreadDump {

	/**
	 * The maximum number of characters in a dump. A longer dump is cut off at the end,
	 * which lists threads that run no job.
	 */
	static final int LONGEST = 256 * 1024;

	private final StringBuilder text = new StringBuilder();

	private ThreadDump() {
	}

	static String of(List<WorkerRun> runs) {
		ThreadDump dump = new ThreadDump();
		Map<Thread, StackTraceElement[]> others = new HashMap<>(Thread.getAllStackTraces());
		for (WorkerRun run : runs) {
			// The map of all threads does not contain virtual threads.
			others.remove(run.thread());
			dump.add(run.thread(), run.thread().getStackTrace(),
					", runs job %s for %s".formatted(run.work(), seconds(run.lasted())));
		}
		others.entrySet()
			.stream()
			.sorted(Comparator.comparing((other) -> other.getKey().getName()))
			.forEach((other) -> dump.add(other.getKey(), other.getValue(), ""));
		return dump.text();
	}

	static String seconds(Duration time) {
		return String.format(Locale.ROOT, "%.3f s", time.toNanos() / 1e9);
	}

	private void add(Thread thread, StackTraceElement[] stack, String job) {
		this.text.append('"').append(thread.getName()).append("\" ").append(thread.getState());
		ThreadInfo info = (thread.getState() == Thread.State.BLOCKED)
				? ManagementFactory.getThreadMXBean().getThreadInfo(thread.getId()) : null;
		if (info != null && info.getLockOwnerName() != null) {
			this.text.append(" on ")
				.append(info.getLockName())
				.append(", which \"")
				.append(info.getLockOwnerName())
				.append("\" has");
		}
		this.text.append(job).append('\n');
		append(this.text, stack);
		this.text.append('\n');
	}

	static void append(StringBuilder text, StackTraceElement[] stack) {
		for (StackTraceElement element : stack) {
			// Write the element as in an exception's stack trace, but without class
			// loader and module.
			text.append("\tat ")
				.append(new StackTraceElement(element.getClassName(), element.getMethodName(), element.getFileName(),
						element.getLineNumber()))
				.append('\n');
		}
	}

	private String text() {
		if (this.text.length() > LONGEST) {
			String end = "\n… and more, which is left out\n";
			this.text.setLength(LONGEST - end.length());
			this.text.append(end);
		}
		return this.text.toString();
	}

}
