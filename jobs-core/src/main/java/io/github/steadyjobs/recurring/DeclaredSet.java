package io.github.steadyjobs.recurring;

import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * What a release declares.
 *
 * @param rank the set with the highest one counts
 * @param application the name of the application
 * @param jobs the names of the jobs that it can run, and whether they are idempotent
 * @param recurring its recurring jobs
 */
record DeclaredSet(long rank, String application, Map<String, Boolean> jobs, List<RecurringJob> recurring) {

	static DeclaredSet of(long rank, JsonNode json) {
		Map<String, Boolean> jobs = new HashMap<>();
		json.path("jobs").forEach((name) -> jobs.put(name.stringValue(), false));
		json.path("idempotent").forEach((name) -> jobs.put(name.stringValue(), true));
		List<RecurringJob> recurring = new ArrayList<>();
		json.path("recurring").forEach((job) -> recurring.add(RecurringJson.read(job)));
		return new DeclaredSet(rank, json.path("application").stringValue(), jobs, recurring);
	}

	/**
	 * Return what a process declares. A release is known by a digest of it.
	 * @param application the name of the application: one forgets what it no longer
	 * declares, and nothing of others
	 * @param jobs the names of the jobs that the process can run, and whether they are
	 * idempotent
	 */
	static String json(String application, Map<String, Boolean> jobs, Collection<RecurringJob> recurring) {
		ObjectNode json = RecurringJson.MAPPER.createObjectNode();
		json.put("application", application);
		ArrayNode names = json.putArray("jobs");
		ArrayNode idempotent = json.putArray("idempotent");
		new TreeMap<>(jobs).forEach((name, isIdempotent) -> (isIdempotent ? idempotent : names).add(name));
		ArrayNode definitions = json.putArray("recurring");
		recurring.stream()
			.sorted(Comparator.comparing(RecurringJob::name))
			.forEach((job) -> definitions.add(RecurringJson.write(job)));
		return json.toString();
	}

	boolean has(String name) {
		return this.recurring.stream().anyMatch((job) -> job.name().equals(name));
	}

}
