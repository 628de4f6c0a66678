package io.github.steadyjobs.sidekiq;

import java.math.BigDecimal;
import java.math.RoundingMode;
import java.util.HexFormat;
import java.util.Map;
import java.util.Objects;
import java.util.Set;

import io.github.steadyjobs.InvalidJobException;
import io.github.steadyjobs.Names;
import io.github.steadyjobs.redis.NewJob;
import io.github.steadyjobs.redis.PayloadCodec;
import io.github.steadyjobs.sidekiq.Batch.Element;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/**
 * Creates jobs from elements of Sidekiq. Equal elements at the same position in the same
 * batch become equal jobs for the same caller, in any process. Thread safe.
 */
final class Translation {

	static final String DEFAULT_QUEUE = "default";

	/**
	 * Times below this value are in seconds, and times above it are in milliseconds. As
	 * milliseconds, this value is a time in 1973; as seconds, a time in 5138.
	 */
	private static final double MOST_SECONDS = 1e11;

	private static final double LATEST = 1e15;

	/**
	 * Fields that {@link #translate} writes itself, before all others, in the order in
	 * which a job can be read fastest.
	 */
	private static final Set<String> HEAD = Set.of("jid", "class", "args", "queue", "retry", "dead", "created_at",
			"enqueued_at", "at", "tags", "meta");

	private static final Set<String> TIMES = Set.of("failed_at", "retried_at", "expires_at");

	/**
	 * Fields that Steady Jobs uses and Sidekiq itself does not. If an element contains
	 * such a field, the field comes from a plug-in and has a different meaning.
	 */
	private static final Set<String> TAKEN = Set.of("attempts", "key", "score", "timeout", "unbound", "unreadable");

	private final Mapping mapping;

	private final PayloadCodec codec;

	Translation(Mapping mapping, PayloadCodec codec) {
		this.mapping = mapping;
		this.codec = codec;
	}

	/**
	 * A job and its destination.
	 *
	 * @param queue the local queue
	 * @param job the job
	 */
	record Translated(String queue, NewJob job) {

	}

	/**
	 * Return the Sidekiq queue to which an element of a sorted set belongs.
	 * @throws InvalidJobException if the element cannot be read
	 */
	String queueOf(byte[] json) {
		return read(json).path("queue").asString(DEFAULT_QUEUE);
	}

	/**
	 * Return whether an element has a destination here. An unreadable element has one,
	 * because it is set aside.
	 */
	boolean isMapped(Element element) {
		try {
			String queue = element.queue();
			return this.mapping.queue((queue != null) ? queue : queueOf(element.json())) != null;
		}
		catch (InvalidJobException ex) {
			return true;
		}
	}

	/**
	 * Create a job from an element.
	 * @param caller the caller that stores the job
	 * @param place the position of the element in the batch
	 * @throws InvalidJobException if the element cannot become a job
	 */
	Translated translate(String caller, Batch batch, int place) {
		Element element = batch.elements().get(place);
		ObjectNode from = read(element.json());
		String name = this.mapping.job(required(from, "class"));
		if (!Names.isJobName(name)) {
			throw new InvalidJobException("its class cannot be the name of a job");
		}
		if (!from.path("args").isArray()) {
			throw new InvalidJobException("it has no array 'args'");
		}
		String queue = element.queue();
		String target = Objects
			.requireNonNull(this.mapping.queue((queue != null) ? queue : from.path("queue").asString(DEFAULT_QUEUE)));
		Long due = (element.score() != null) ? Long.valueOf(millis(element.score())) : null;
		Long enqueued = time(from.path("enqueued_at"));
		long ready = (due != null) ? due : Objects.requireNonNullElse(enqueued, batch.filledAt());
		String id = id(caller, batch, place, ready);
		ObjectNode job = JsonNodeFactory.instance.objectNode();
		job.put("jid", id).put("class", name).set("args", from.path("args"));
		job.put("queue", target);
		addRetry(job, from);
		job.put("created_at", Objects.requireNonNullElse(time(from.path("created_at")), ready));
		if (due != null) {
			job.put("at", due);
		}
		else {
			job.put("enqueued_at", ready);
		}
		addLabels(job, from);
		if (due != null && enqueued != null) {
			job.put("enqueued_at", enqueued);
		}
		from.properties()
			.stream()
			.filter((field) -> !HEAD.contains(field.getKey()))
			.forEach((field) -> add(job, field));
		return new Translated(target, new NewJob(id, this.codec.mapper().writeValueAsBytes(job), null));
	}

	private ObjectNode read(byte[] json) {
		try {
			if (this.codec.mapper().readTree(json) instanceof ObjectNode object) {
				return object;
			}
		}
		catch (RuntimeException ex) {
			// A number such as 1e9999999999 causes an exception other than
			// JacksonException. The cause is omitted, because its message quotes the
			// arguments.
		}
		throw new InvalidJobException("it is not a JSON object");
	}

	private static String required(ObjectNode from, String field) {
		JsonNode value = from.path(field);
		if (!value.isString() || value.stringValue().isEmpty()) {
			throw new InvalidJobException("it has no string '%s'".formatted(field));
		}
		return value.stringValue();
	}

	/**
	 * Create an id. Its first half is the time at which the job became ready, because the
	 * latency of a queue is measured from that time; Sidekiq's own ids are completely
	 * random. The rest looks random, but is the same when the call is repeated after a
	 * crash. A different call creates a different id, because no id may be stored twice.
	 */
	private static String id(String caller, Batch batch, int place, long ready) {
		long millis = Math.max(0, Math.min(ready, batch.filledAt()));
		return HexFormat.of().toHexDigits(millis, 12)
				+ Mapping.digest("%s/%d/%d".formatted(caller, batch.number(), place), 6);
	}

	private static void addRetry(ObjectNode job, ObjectNode from) {
		JsonNode retry = from.path("retry");
		boolean never = retry.isBoolean() && !retry.booleanValue();
		if (retry.isIntegralNumber() && retry.canConvertToInt()) {
			job.put("retry", Math.max(0, retry.intValue()));
		}
		else if (never) {
			job.put("retry", 0);
		}
		else {
			job.put("retry", true);
		}
		JsonNode dead = from.path("dead");
		// If retries are switched off, Sidekiq deletes a job that fails. With zero
		// retries, Sidekiq keeps the job as dead.
		if (never || (dead.isBoolean() && !dead.booleanValue())) {
			job.put("dead", false);
		}
	}

	private static void addLabels(ObjectNode job, ObjectNode from) {
		JsonNode tags = from.path("tags");
		if (tags.isArray()) {
			job.set("tags", tags);
		}
		JsonNode own = from.path("meta");
		ObjectNode meta = job.putObject("meta");
		if (own instanceof ObjectNode object) {
			meta.setAll(object);
		}
		if (from.path("jid").isString()) {
			meta.put("sidekiq_jid", from.path("jid").stringValue());
		}
	}

	private void add(ObjectNode job, Map.Entry<String, JsonNode> field) {
		String name = field.getKey();
		JsonNode value = field.getValue();
		Long time = TIMES.contains(name) ? time(value) : null;
		if (time != null) {
			job.put(name, time);
		}
		else if (name.equals("retry_queue") && value.isString()) {
			String queue = this.mapping.queue(value.stringValue());
			job.put((queue != null) ? name : "sidekiq_" + name, (queue != null) ? queue : value.stringValue());
		}
		else {
			// A time that is invalid or has a different unit would be misunderstood here.
			// Backtraces from Sidekiq are compressed.
			boolean foreign = TAKEN.contains(name) || TIMES.contains(name)
					|| (name.equals("error_backtrace") && !value.isArray());
			job.set(foreign ? "sidekiq_" + name : name, value);
		}
	}

	/**
	 * Read a time. Sidekiq 7 and earlier write seconds with a fraction, and Sidekiq 8 and
	 * later write whole milliseconds.
	 */
	private static @Nullable Long time(JsonNode value) {
		return (value.isNumber() && Math.abs(value.asDouble(LATEST)) < LATEST) ? Long.valueOf(millis(value.asDouble()))
				: null;
	}

	private static long millis(double time) {
		BigDecimal exact = BigDecimal.valueOf((Math.abs(time) < LATEST) ? time : 0);
		return ((Math.abs(time) < MOST_SECONDS) ? exact.movePointRight(3) : exact).setScale(0, RoundingMode.HALF_UP)
			.longValue();
	}

}
