package io.github.steadyjobs.server;

import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

import io.github.steadyjobs.InvalidJobException;
import io.github.steadyjobs.JobPayload;
import io.github.steadyjobs.PayloadField;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;

/**
 * Sets aside jobs that only another release of the application can run, until
 * {@link ParkedJobs} brings them back. Thread safe.
 */
final class Parking {

	static final String UNKNOWN = "unknown:";

	static final String UNBOUND = "unbound:";

	/**
	 * The maximum number of signatures that are kept. It is greater than the number of
	 * releases that ever run at the same time.
	 */
	private static final int MOST_SIGNATURES = 10;

	/**
	 * No job has a name this long, so a truncated name is never the name of another job.
	 */
	private static final int LONGEST_NAME = 256;

	/** Limits memory: names come from payloads, and any program may invent names. */
	private static final int MOST_NOTICES = 1000;

	private static final Logger logger = LoggerFactory.getLogger(Parking.class);

	private final JobExecution execution;

	private final Set<String> noticed = ConcurrentHashMap.newKeySet();

	Parking(JobExecution execution) {
		this.execution = execution;
	}

	/**
	 * Park a job if no bean in this process has a {@code @Job} of that name.
	 * @return the outcome, or {@code null} if a bean has such a {@code @Job}
	 */
	Outcome.@Nullable Parked unknown(UnitOfWork job) {
		if (job.definition() != null) {
			return null;
		}
		String name = job.name();
		String reason = UNKNOWN + name.substring(0, Math.min(name.length(), LONGEST_NAME));
		if (isNew(reason)) {
			logger.warn(
					"Job {} is parked until a process that has such a job picks it up: no bean here has a @Job of that name. Others of that name will be parked without further notice",
					job);
		}
		return new Outcome.Parked(null, reason);
	}

	/**
	 * Park a job with arguments that the method in this process does not accept.
	 * @param why an exception whose message names the argument but quotes no value
	 */
	Outcome.Parked unbound(UnitOfWork job, InvalidJobException why) {
		// Read the payload first: a job whose payload is not JSON becomes dead and is not
		// parked.
		Set<String> signatures = signatures(job.payload());
		if (isNew(UNBOUND + why.getMessage())) {
			logger.warn(
					"Job {} is parked until a process with a different method signature, or one that starts later, picks it up. {}. Others that do not fit in the same way will be parked without further notice",
					job, why.getMessage());
		}
		boolean known = !signatures.add(Objects.requireNonNull(job.definition()).parameters().signature());
		List<String> latest = new ArrayList<>(signatures);
		latest = latest.subList(Math.max(0, latest.size() - MOST_SIGNATURES), latest.size());
		return new Outcome.Parked(known ? null : payload(job, latest),
				UNBOUND + job.name() + "/" + String.join(",", latest));
	}

	private boolean isNew(String notice) {
		return this.noticed.size() < MOST_NOTICES && this.noticed.add(notice);
	}

	private static Set<String> signatures(JobPayload payload) {
		Set<String> signatures = new LinkedHashSet<>();
		for (JsonNode signature : payload.field(PayloadField.UNBOUND.text())) {
			// Payloads may come from other programs, but the reason must stay readable.
			if (signature.isString() && signature.stringValue().matches("[0-9a-f]{12}")) {
				signatures.add(signature.stringValue());
			}
		}
		return signatures;
	}

	private byte[] payload(UnitOfWork job, List<String> signatures) {
		byte[] payload = this.execution.codec().write(job.payload().with((json) -> {
			ArrayNode array = json.putArray(PayloadField.UNBOUND.text());
			signatures.forEach(array::add);
		}));
		return job.form().with(payload);
	}

}
