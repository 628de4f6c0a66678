package io.github.steadyjobs.audit;

import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

import io.github.steadyjobs.audit.AuditStore.Entry;
import io.github.steadyjobs.redis.QueuePart;

/**
 * The jobs that processes hold according to their reports. A job that Redis records as
 * held is compared with the report of its process only if that process sent the report
 * after it had received the answer to the claim of the job. A report shows nothing about
 * later claims.
 */
final class HeldJobs {

	private static final Pattern LINE = Pattern.compile("(\\S+) (\\S+)/(\\d{1,18})((?: \\S+)*)");

	private static final Pattern TOKEN = Pattern.compile("(.+)/(\\d{1,18})\\D*");

	private final Map<List<String>, Held> byClaimant = new HashMap<>();

	/**
	 * Read the reports of processes. Reports must be older than the entries to be judged.
	 */
	HeldJobs(Map<String, Map<String, String>> reports) {
		reports.values().forEach((fields) -> fields.getOrDefault("held", "").lines().forEach((text) -> {
			Matcher line = LINE.matcher(text);
			if (line.matches()) {
				Set<String> ids = Arrays.stream(line.group(4).split(" ")).collect(Collectors.toSet());
				this.byClaimant.put(List.of(line.group(1), line.group(2)),
						new Held(Long.parseLong(line.group(3)), ids));
			}
		}));
	}

	/**
	 * Judge a job that Redis records as held.
	 * @param working the entry of the job, with its token as the value
	 */
	Optional<Violation> judge(String queue, Entry working) {
		Matcher token = TOKEN.matcher(working.value());
		Held held = token.matches() ? this.byClaimant.get(List.of(queue, token.group(1))) : null;
		boolean missing = held != null && Long.parseLong(token.group(2)) <= held.latestClaim()
				&& !held.ids().contains(working.id());
		return missing ? Optional
			.of(new Violation(queue, ViolationKind.NOT_HELD, working.id(), QueuePart.WORKING.text(), working.value()))
				: Optional.empty();
	}

	/**
	 * The jobs of a queue that a capsule of a process holds.
	 *
	 * @param latestClaim the number of the latest claim that was answered
	 * @param ids the ids of the jobs
	 */
	private record Held(long latestClaim, Set<String> ids) {

	}

}
