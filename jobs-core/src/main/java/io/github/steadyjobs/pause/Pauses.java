package io.github.steadyjobs.pause;

import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

import io.github.steadyjobs.redis.Declared;
import io.github.steadyjobs.redis.QueueRef;
import io.github.steadyjobs.redis.RedisErrors;
import org.jspecify.annotations.Nullable;

/**
 * A snapshot of all pauses.
 *
 * @param version the version, which grows with each change, even after a loss of data; 0
 * if Redis has no record of a change
 * @param now the Redis time of the snapshot, in milliseconds since the epoch
 * @param byTarget the pauses by the queue or the job that is paused
 */
public record Pauses(long version, long now, Map<Target, Pause> byTarget) {

	/** The state of a process that has not read the pauses yet. */
	public static final Pauses NONE = new Pauses(0, 0, Map.of());

	private static final Pattern PAUSE = Pattern.compile("(\\d{1,16}) (\\d{1,16}) (\\d{1,16}) ([p-]) ([^\n]*)\n(.*)",
			Pattern.DOTALL);

	static Pauses of(Declared declared) {
		long now = declared.now().toEpochMilli();
		Map<Target, Pause> pauses = all(declared);
		pauses.values().removeIf((pause) -> pause.hasPassed(now));
		return new Pauses(Declared.number(declared.version()), now, pauses);
	}

	/** Return the fields of pauses that have ended without a trial job. */
	static List<String> ended(Declared declared) {
		long now = declared.now().toEpochMilli();
		return all(declared).values()
			.stream()
			.filter((pause) -> pause.hasPassed(now))
			.map((pause) -> pause.target().field())
			.toList();
	}

	private static Map<Target, Pause> all(Declared declared) {
		Map<Target, Pause> pauses = new LinkedHashMap<>();
		declared.fields().forEach((field, value) -> {
			Target target = Target.of(field);
			if (target != null) {
				pauses.put(target, Pause.of(target, value));
			}
		});
		return pauses;
	}

	public @Nullable Pause find(Target target) {
		return this.byTarget.get(target);
	}

	/** Return whether a queue is paused. */
	public boolean isPaused(String queue) {
		return this.byTarget.containsKey(Target.queue(queue));
	}

	public Collection<Pause> all() {
		return this.byTarget.values();
	}

	/**
	 * Return the script argument for the pause of a queue.
	 * @param name the name of the queue or of one of its shards
	 */
	String textOfQueue(String name) {
		Pause pause = find(Target.queue(QueueRef.queueOf(name)));
		return (pause != null) ? pause.text() : "";
	}

	/** Return the script argument for paused jobs, which is the same for all queues. */
	String textOfJobs() {
		List<String> lines = new ArrayList<>();
		this.byTarget.forEach((target, pause) -> {
			if (!target.isQueue()) {
				lines.add(pause.text() + " " + target.name() + "\n");
			}
		});
		return String.join("", lines);
	}

	/**
	 * A queue or a job that can be paused.
	 *
	 * @param isQueue whether the target is a queue; otherwise it is a job
	 * @param name the name of the queue or the job
	 */
	public record Target(boolean isQueue, String name) {

		private static final String QUEUE = "queue:";

		private static final String JOB = "job:";

		public static Target queue(String name) {
			return new Target(true, name);
		}

		public static Target job(String name) {
			return new Target(false, name);
		}

		private static @Nullable Target of(String field) {
			if (field.startsWith(QUEUE)) {
				return queue(field.substring(QUEUE.length()));
			}
			return field.startsWith(JOB) ? job(field.substring(JOB.length())) : null;
		}

		String field() {
			return (this.isQueue ? QUEUE : JOB) + this.name;
		}

		@Override
		public String toString() {
			return (this.isQueue ? "queue " : "job ") + this.name;
		}

	}

	/**
	 * A pause that is in force.
	 *
	 * @param target the queue or the job that is paused
	 * @param version the version of the whole set of pauses when this pause began
	 * @param since when the pause began, in milliseconds since the epoch
	 * @param until when the pause ends, in milliseconds since the epoch; 0 if it does not
	 * end on its own
	 * @param triesOne whether one job is tried when the pause reaches its end; the result
	 * of this job decides whether the pause is over
	 * @param who the person or process that asked for the pause
	 * @param why the reason for the pause
	 */
	public record Pause(Target target, long version, long since, long until, boolean triesOne, String who, String why) {

		private static final Pattern BREAKS = Pattern.compile("[\\p{Cntrl}\u0085\u2028\u2029]+");

		private static Pause of(Target target, String value) {
			Matcher parts = PAUSE.matcher(value);
			if (!parts.matches()) {
				throw RedisErrors.damaged("the pause of %s is '%s'".formatted(target, value), null);
			}
			return new Pause(target, Long.parseLong(parts.group(1)), Long.parseLong(parts.group(2)),
					Long.parseLong(parts.group(3)), parts.group(4).equals("p"), parts.group(5), parts.group(6));
		}

		private boolean hasPassed(long now) {
			return !this.triesOne && this.until != 0 && this.until <= now;
		}

		/** Return whether another pause is this pause, perhaps with its end repeated. */
		boolean isSame(Pause other) {
			return this.target.equals(other.target) && this.since == other.since && this.until == other.until;
		}

		private String text() {
			return this.version + " " + this.until + " " + (this.triesOne ? "p" : "-");
		}

		/** Return the author, start, end and reason of the pause, on one line. */
		@Override
		public String toString() {
			String end = (this.until > 0) ? ", until " + Instant.ofEpochMilli(this.until) : "";
			return "by %s since %s%s: %s".formatted(this.who, Instant.ofEpochMilli(this.since), end,
					BREAKS.matcher(this.why).replaceAll(" "));
		}

		/**
		 * Return whether the pause had reached its end at the time of a claim. If so, and
		 * if {@code triesOne}, the claimed job is a trial job.
		 * @param claimedAt the Redis time of the claim
		 */
		public boolean hasEndedAt(long claimedAt) {
			return this.until > 0 && this.until <= claimedAt;
		}

	}

}
