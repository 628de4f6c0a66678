package io.github.steadyjobs.redis;

import java.nio.charset.StandardCharsets;
import java.util.Collection;
import java.util.EnumSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * The permissions that the Redis user needs. They follow from the scripts, because Redis
 * checks each of their commands.
 *
 * @param prefix what all keys begin with
 * @param commands the names of the commands, in lower case
 */
record AccessRule(String prefix, SortedSet<String> commands) {

	private static final Pattern IN_SCRIPT = Pattern.compile("(?:redis\\.p?call|hint)\\('([A-Z]+)'");

	/** Health asks for recurring jobs in every process. */
	private static final Set<JobScript> OF_PRODUCERS = EnumSet.of(JobScript.ENQUEUE, JobScript.GATHER, JobScript.CANCEL,
			JobScript.SAMPLE, JobScript.DECLARE, JobScript.TICKS);

	private static final List<String> SENT_BY_PRODUCERS = List.of("EVAL", "EVALSHA", "HGET", "HLEN", "INFO", "SADD",
			"SMEMBERS", "TIME", "TYPE", "WAIT");

	private static final List<String> SENT_BY_WORKERS = List.of("BLPOP", "DEL", "EXISTS", "GET", "HGETALL", "LPUSH",
			"LTRIM", "SET", "SREM", "ZRANGE");

	/**
	 * Return the permissions for an application that enqueues and runs jobs.
	 */
	static AccessRule ofWorker(String prefix) {
		AccessRule rule = of(prefix, EnumSet.allOf(JobScript.class), SENT_BY_PRODUCERS);
		rule.add(SENT_BY_WORKERS);
		return rule;
	}

	/**
	 * Return the permissions for an application that only enqueues jobs.
	 */
	static AccessRule ofProducer(String prefix) {
		return of(prefix, OF_PRODUCERS, SENT_BY_PRODUCERS);
	}

	private static AccessRule of(String prefix, Set<JobScript> scripts, Collection<String> sent) {
		AccessRule rule = new AccessRule(prefix, new TreeSet<>());
		rule.add(sent);
		for (JobScript script : scripts) {
			String source = new String(script.source(), StandardCharsets.UTF_8);
			rule.add(IN_SCRIPT.matcher(source).results().map((match) -> match.group(1)).toList());
		}
		return rule;
	}

	private void add(Collection<String> names) {
		names.forEach((name) -> this.commands.add(name.toLowerCase(Locale.ROOT)));
	}

	String keys() {
		return "~" + this.prefix + ":*";
	}

	static String allow(Collection<String> commands) {
		return commands.stream().map((command) -> "+" + command).collect(Collectors.joining(" "));
	}

	/**
	 * Return the rule as {@code ACL SETUSER} takes it.
	 */
	@Override
	public String toString() {
		return keys() + " " + allow(this.commands);
	}

}
