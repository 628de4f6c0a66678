package io.github.steadyjobs.dashboard;

import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.EnumSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

import io.github.steadyjobs.admin.JobPlace;
import io.github.steadyjobs.admin.JobQuery;
import io.github.steadyjobs.admin.QueueState;
import io.github.steadyjobs.dashboard.Question.Fact;
import org.jspecify.annotations.Nullable;

/**
 * A filter for jobs. Addresses and forms contain its conditions as parameters.
 *
 * @param place the place of the jobs
 * @param texts the other conditions, by the name of the parameter
 * @param from the beginning of the time range, {@code null} for no limit
 * @param to the end of the time range, {@code null} for no limit
 */
record JobFilter(JobPlace place, Map<String, String> texts, @Nullable Instant from, @Nullable Instant to) {

	static final String TEXT = "text";

	static final String ERROR = "error";

	/** The places to which failed jobs go. */
	static final Set<JobPlace> FAILED = Collections.unmodifiableSet(EnumSet.of(JobPlace.RETRIES, JobPlace.DEAD));

	private static final List<String> TEXTS = List.of("queue", "name", "tag", ERROR, TEXT, "id");

	/**
	 * Read a filter from the parameters of a request.
	 * @throws RefusedException if a parameter is invalid, or if it searches values that
	 * the viewer may not see and could guess letter by letter
	 */
	static JobFilter of(Visit visit) {
		Map<String, String> texts = new LinkedHashMap<>();
		for (String name : TEXTS) {
			String text = visit.text(name);
			if (text != null) {
				texts.put(name, text.strip());
			}
		}
		if (texts.containsKey(TEXT) && !visit.viewer().seesValues()) {
			throw RefusedException.forbidden("refused.text");
		}
		return new JobFilter(visit.oneOf("place", JobPlace.READY), texts, visit.time("from"), visit.time("to"));
	}

	static JobFilter of(JobPlace place) {
		return new JobFilter(place, Map.of(), null, null);
	}

	JobQuery query() {
		return JobQuery.of(this.place)
			.queue(this.texts.get("queue"))
			.name(this.texts.get("name"))
			.tag(this.texts.get("tag"))
			.error(this.texts.get(ERROR))
			.text(this.texts.get(TEXT))
			.id(this.texts.get("id"))
			.between(this.from, this.to);
	}

	@Nullable String queue() {
		return this.texts.get("queue");
	}

	/** Return how many jobs the queues of this filter have in its place. */
	long total(List<QueueState> queues) {
		return queues.stream()
			.filter((queue) -> queue() == null || queue.name().equals(queue()))
			.mapToLong((queue) -> queue.count(this.place))
			.sum();
	}

	/** Return this filter for another place, without conditions that do not apply. */
	JobFilter in(JobPlace place) {
		Map<String, String> texts = new LinkedHashMap<>(this.texts);
		if (!FAILED.contains(place)) {
			texts.remove(ERROR);
		}
		return new JobFilter(place, texts, this.from, this.to);
	}

	/** Return whether this filter has conditions other than the place and the queue. */
	boolean isNarrow() {
		return this.from != null || this.to != null
				|| this.texts.keySet().stream().anyMatch((name) -> !name.equals("queue"));
	}

	/** Return the value of a parameter as a form shows it, empty if it is not set. */
	String value(String name) {
		return parameters().getOrDefault(name, "");
	}

	private Map<String, String> parameters() {
		Map<String, String> parameters = new LinkedHashMap<>();
		parameters.put("place", Visit.text(this.place));
		parameters.putAll(this.texts);
		if (this.from != null) {
			parameters.put("from", Format.time(this.from, "field"));
		}
		if (this.to != null) {
			parameters.put("to", Format.time(this.to, "field"));
		}
		return parameters;
	}

	/**
	 * Return the address of a page or an action for these jobs.
	 * @param more names of further parameters, each followed by its value
	 */
	String address(String page, @Nullable Object... more) {
		List<@Nullable Object> all = new ArrayList<>();
		parameters().forEach((name, value) -> {
			all.add(name);
			all.add(value);
		});
		all.addAll(Arrays.asList(more));
		return Address.of(page, all.toArray());
	}

	/** Return hidden form fields with the parameters of this filter. */
	List<Field> fields() {
		return parameters().entrySet()
			.stream()
			.map((parameter) -> Field.hidden(parameter.getKey(), parameter.getValue()))
			.toList();
	}

	/** Return a description of this filter in words. */
	List<Fact> facts() {
		List<Fact> facts = new ArrayList<>();
		facts.add(new Fact(Words.of("filter.place"), Words.of("place." + Visit.text(this.place))));
		if (queue() == null) {
			facts.add(new Fact(Words.of("filter.queue"), Words.of("filter.queue.all")));
		}
		this.texts.forEach((name, value) -> facts.add(new Fact(Words.of("filter." + name), Plain.line(value))));
		if (this.from != null) {
			facts.add(new Fact(Words.of("filter.from"), Format.time(this.from, "at")));
		}
		if (this.to != null) {
			facts.add(new Fact(Words.of("filter.to"), Format.time(this.to, "at")));
		}
		return facts;
	}

}
