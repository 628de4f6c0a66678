package io.github.steadyjobs.server;

import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

import io.github.steadyjobs.InvalidJobException;
import io.github.steadyjobs.JobPayload;
import io.github.steadyjobs.definition.JobDefinition;
import io.github.steadyjobs.definition.JobRegistry;
import io.github.steadyjobs.redis.PayloadCodec;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;

/**
 * Sets jobs aside that another release of the application may run, and tells which ones
 * this process may run. Thread safe.
 */
final class Parking {

	private static final String UNKNOWN = "unknown:";

	private static final String UNBOUND = "unbound:";

	private static final String SIGNATURES = "unbound";

	/**
	 * More releases than ever run at the same time.
	 */
	private static final int MOST_SIGNATURES = 10;

	/**
	 * No job has a name of this length, so what is cut here is no other job's name.
	 */
	private static final int LONGEST_NAME = 256;

	/**
	 * Names come from payloads, and whoever writes those may make up any number.
	 */
	private static final int MOST_NOTICES = 1000;

	private static final Logger logger = LoggerFactory.getLogger(Parking.class);

	private final PayloadCodec codec;

	private final Set<String> noticed = ConcurrentHashMap.newKeySet();

	Parking(PayloadCodec codec) {
		this.codec = codec;
	}

	/**
	 * Set a job aside whose name no bean has.
	 */
	Outcome.Parked unknown(RunningJob job) {
		String name = job.name();
		String reason = UNKNOWN + name.substring(0, Math.min(name.length(), LONGEST_NAME));
		if (isNew(reason)) {
			logger.warn("Job {} is parked until a process with such a job looks for it: no bean here has a @Job of "
					+ "that name. Others of that name will be parked without further notice", job);
		}
		return new Outcome.Parked(null, reason);
	}

	/**
	 * Set a job aside whose arguments the method here does not take.
	 * @param why says which argument, and has no value in it
	 */
	Outcome.Parked unbound(RunningJob job, JobDefinition definition, InvalidJobException why) {
		if (isNew(UNBOUND + why.getMessage())) {
			logger.warn("Job {} is parked until a process looks for it whose method takes other arguments, or that "
					+ "starts later. {}. Others that do not fit in the same way will be parked without further notice",
					job, why.getMessage());
		}
		Set<String> signatures = signatures(job.payload());
		boolean known = !signatures.add(definition.signature());
		List<String> latest = new ArrayList<>(signatures);
		latest = latest.subList(Math.max(0, latest.size() - MOST_SIGNATURES), latest.size());
		return new Outcome.Parked(known ? null : payload(job.payload(), latest),
				UNBOUND + job.name() + "/" + String.join(",", latest));
	}

	/**
	 * Return what does not keep jobs of these names from running in this process.
	 * @param registry the jobs of this process
	 * @param starting whether to try also those again that were tried in vain by others
	 * whose methods take the same arguments
	 */
	static List<String> reasonsOfOthers(JobRegistry registry, boolean starting) {
		List<String> reasons = new ArrayList<>();
		for (String name : registry.names()) {
			String signature = starting ? "" : registry.find(name).map(JobDefinition::signature).orElse("");
			reasons.add(UNKNOWN + name);
			reasons.add(UNBOUND + name + "/" + signature);
		}
		return reasons;
	}

	private boolean isNew(String notice) {
		return this.noticed.size() < MOST_NOTICES && this.noticed.add(notice);
	}

	private static Set<String> signatures(JobPayload payload) {
		Set<String> signatures = new LinkedHashSet<>();
		for (JsonNode signature : payload.field(SIGNATURES)) {
			// Others write payloads too, and the reason has to stay readable.
			if (signature.isString() && signature.stringValue().matches("[0-9a-f]{12}")) {
				signatures.add(signature.stringValue());
			}
		}
		return signatures;
	}

	private byte[] payload(JobPayload payload, List<String> signatures) {
		return this.codec.write(payload.with((json) -> {
			ArrayNode array = json.putArray(SIGNATURES);
			signatures.forEach(array::add);
		}));
	}

}
