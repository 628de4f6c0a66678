package io.github.steadyjobs.recurring;

import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

import tools.jackson.databind.JsonNode;

/**
 * What a release declares.
 *
 * @param rank the set with the highest one counts
 * @param application the name of the application
 * @param jobs the names of the jobs that it can run, and whether they are idempotent
 * @param recurring its recurring jobs
 */
record DeclaredSet(long rank, String application, Map<String, Boolean> jobs, List<RecurringJob> recurring) {

	static DeclaredSet of(String value) {
		int space = value.indexOf(' ');
		JsonNode json = RecurringJson.tree(value.substring(space + 1));
		Map<String, Boolean> jobs = new HashMap<>();
		json.path("jobs").forEach((name) -> jobs.put(name.stringValue(), false));
		json.path("idempotent").forEach((name) -> jobs.put(name.stringValue(), true));
		List<RecurringJob> recurring = new ArrayList<>();
		json.path("recurring").forEach((job) -> recurring.add(RecurringJson.read(job)));
		return new DeclaredSet(Long.parseLong(value.substring(0, space)), json.path("application").stringValue(), jobs,
				recurring);
	}

	/**
	 * Return what a process declares. A release is known by a digest of it.
	 * @param application the name of the application: one forgets what it no longer
	 * declares, and nothing of others
	 * @param jobs the names of the jobs that the process can run, and whether they are
	 * idempotent
	 */
	static String json(String application, Map<String, Boolean> jobs, Collection<RecurringJob> recurring) {
		Map<String, Object> json = new LinkedHashMap<>();
		json.put("application", application);
		json.put("jobs", names(jobs, false));
		json.put("idempotent", names(jobs, true));
		json.put("recurring",
				recurring.stream().sorted(Comparator.comparing(RecurringJob::name)).map(RecurringJson::write).toList());
		return RecurringJson.text(json);
	}

	private static List<String> names(Map<String, Boolean> jobs, boolean idempotent) {
		return jobs.entrySet()
			.stream()
			.filter((job) -> job.getValue() == idempotent)
			.map(Map.Entry::getKey)
			.sorted()
			.toList();
	}

	/**
	 * Return what is kept in place of this once it has lost a recurring job.
	 */
	String without(String name) {
		return this.rank + " " + json(this.application, this.jobs,
				this.recurring.stream().filter((job) -> !job.name().equals(name)).toList());
	}

	boolean has(String name) {
		return this.recurring.stream().anyMatch((job) -> job.name().equals(name));
	}

}
