package io.github.steadyjobs;

import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Consumer;

import org.jspecify.annotations.Nullable;
import tools.jackson.core.JsonParser;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

import org.springframework.util.Assert;

/**
 * A job as it is stored, in the format of Sidekiq's job hash. Immutable; fields that this
 * version does not know are kept.
 */
public final class JobPayload {

	private final Envelope envelope;

	private final @Nullable JsonMapper mapper;

	private final byte @Nullable [] stored;

	private volatile @Nullable ObjectNode json;

	/** The arguments that replace the stored arguments, if any. */
	private final byte @Nullable [] arguments;

	private JobPayload(Envelope envelope, @Nullable JsonMapper mapper, byte @Nullable [] stored,
			@Nullable ObjectNode json, byte @Nullable [] arguments) {
		this.envelope = envelope;
		this.mapper = mapper;
		this.stored = stored;
		this.json = json;
		this.arguments = arguments;
	}

	/**
	 * Create a payload from a JSON object, for example to test a listener.
	 * @param json the object, with the fields of {@code docs/wire-format.md}; must not be
	 * changed afterwards
	 * @throws InvalidJobException if the object lacks an id, a name or a list of
	 * arguments
	 */
	public static JobPayload of(ObjectNode json) {
		Assert.notNull(json, "'json' must not be null");
		return new JobPayload(Envelope.of(json), null, null, json, null);
	}

	/**
	 * Read a payload as it is stored. The arguments are parsed only when they are
	 * requested, so an error in them is found only then.
	 * @param stored the JSON; must not be changed afterwards
	 * @throws InvalidJobException if the JSON is not an object with the fields of a job
	 */
	public static JobPayload read(JsonMapper mapper, byte[] stored) {
		Assert.notNull(mapper, "'mapper' must not be null; pass the one that payloads are read with");
		Assert.notNull(stored, "'stored' must not be null");
		try {
			Envelope envelope = Envelope.read(stored);
			return (envelope != null) ? new JobPayload(envelope, mapper, stored, null, null)
					: of(Envelope.readTree(mapper, stored));
		}
		catch (InvalidJobException ex) {
			throw ex;
		}
		catch (RuntimeException ex) {
			// Whatever the exception is, the job cannot be read. The cause is left out
			// because its message may quote the payload.
			throw new InvalidJobException(
					"The payload breaks a rule of the wire format: reading it ends with a " + ex.getClass().getName());
		}
	}

	/** Return the id of the job, 24 lower-case hex digits. */
	public String id() {
		return this.envelope.id;
	}

	/** Return the name of the job. */
	public String name() {
		return this.envelope.name;
	}

	/** Return the arguments of the job as JSON, which must not be changed. */
	public ArrayNode arguments() {
		return (ArrayNode) PayloadField.ARGS.in(json());
	}

	/**
	 * Read the arguments of the job without building a tree.
	 * @return a parser positioned before the array of arguments; the caller must close it
	 */
	public JsonParser parseArguments(JsonMapper mapper) {
		Assert.notNull(mapper, "'mapper' must not be null; pass the one that payloads are read with");
		if (this.arguments != null) {
			return mapper.createParser(this.arguments);
		}
		Envelope.Range range = this.envelope.arguments;
		return (range == null) ? mapper.treeAsTokens(arguments())
				: mapper.createParser(Objects.requireNonNull(this.stored), range.start(), range.length());
	}

	/**
	 * Return the same job with other arguments. They may be parsed now or only when they
	 * are requested.
	 * @param arguments a JSON array; must not be changed afterwards
	 * @throws InvalidJobException if the arguments are parsed now and are not a JSON
	 * array
	 */
	public JobPayload withArguments(JsonMapper mapper, byte[] arguments) {
		Assert.notNull(mapper, "'mapper' must not be null; pass the one that payloads are read with");
		Assert.notNull(arguments, "'arguments' must not be null");
		return (this.stored != null) ? new JobPayload(this.envelope, mapper, this.stored, null, arguments)
				: with((json) -> json.set(PayloadField.ARGS.text(), Envelope.readArguments(mapper, arguments)));
	}

	/** Return the queue the job was enqueued in. */
	public String queue() {
		return this.envelope.queue;
	}

	/**
	 * Return how many times the job may be retried.
	 * @param defaultRetries the number to use if the job specifies {@code true} or
	 * nothing
	 * @return the maximum number of retries, zero or more
	 */
	public int retries(int defaultRetries) {
		Integer own = this.envelope.retries;
		return (own != null) ? own : defaultRetries;
	}

	/** Return whether the job is kept when it has failed for the last time. */
	public boolean isKeptWhenDead() {
		return this.envelope.keptWhenDead;
	}

	/** Return the limits that are stored with the job. */
	public JobLimits limits() {
		return this.envelope.limits;
	}

	/**
	 * Return how many attempts to run the job have failed so far. In
	 * {@link JobListener#failed}, this is the {@linkplain JobContext#attempt() attempt}
	 * that has just failed.
	 * @return 0 for a job that has never failed, 1 after its first failure
	 */
	public int attempts() {
		return this.envelope.attempts;
	}

	/** Return when the job was created, by its producer's clock, to the millisecond. */
	public Instant createdAt() {
		return Instant.ofEpochMilli(this.envelope.createdAt);
	}

	/**
	 * Return when the job was enqueued, by its producer's clock.
	 * @return the time, to the millisecond; for a scheduled job, when it was created
	 */
	public Instant enqueuedAt() {
		Instant enqueued = Envelope.instant(this.envelope.enqueuedAt);
		return (enqueued != null) ? enqueued : createdAt();
	}

	/** Return when the job is or was due, {@code null} if it was due at once. */
	public @Nullable Instant at() {
		return Envelope.instant(this.envelope.at);
	}

	/** Return when the job first failed, {@code null} if it never has. */
	public @Nullable Instant failedAt() {
		return Envelope.instant(Envelope.number(PayloadField.FAILED_AT.in(json())));
	}

	/**
	 * Return when the job last failed, {@code null} unless it has failed at least twice.
	 */
	public @Nullable Instant retriedAt() {
		return Envelope.instant(Envelope.number(PayloadField.RETRIED_AT.in(json())));
	}

	/** Return the class name of the last exception, or {@code null}. */
	public @Nullable String errorClass() {
		return text(PayloadField.ERROR_CLASS);
	}

	/** Return the message of the last exception, or {@code null}. */
	public @Nullable String errorMessage() {
		return text(PayloadField.ERROR_MESSAGE);
	}

	/**
	 * Return the last failures of the job, at most ten, the newest last. Unlike
	 * {@link #attempts()}, this list does not affect retries.
	 * @return the failures; for an ordered job, the failures of its key since the job was
	 * created
	 */
	public List<JobFailure> failures() {
		// A payload that was read without a tree has no failure fields.
		return (this.stored != null) ? List.of() : JobFailure.read(PayloadField.ATTEMPTS.in(json()));
	}

	/**
	 * Return the key of an ordered job: jobs with the same key run one after another.
	 * @return the key, or {@code null} for a job that is not {@link Sequential}
	 */
	public @Nullable String key() {
		return this.envelope.key;
	}

	/** Return the tags of the job; may be empty. */
	public List<String> tags() {
		return this.envelope.tags;
	}

	/** Return the values that were attached to the job, by name; may be empty. */
	public Map<String, String> meta() {
		return this.envelope.meta;
	}

	/**
	 * Return the value of any field of the job.
	 * @param field the name of the field
	 * @return the value, or a missing node if there is no such field; must not be changed
	 */
	public JsonNode field(String field) {
		Assert.notNull(field, "'field' must not be null");
		return json().path(field);
	}

	/**
	 * Return a modified copy.
	 * @param change modifies the JSON of the copy
	 */
	public JobPayload with(Consumer<ObjectNode> change) {
		Assert.notNull(change, "'change' must not be null");
		ObjectNode copy = JsonNodeFactory.instance.objectNode();
		copy.setAll(json());
		change.accept(copy);
		return of(copy);
	}

	/**
	 * Return a copy with an additional {@linkplain #failures() failure}. If there is not
	 * enough room for all failures, the oldest are dropped.
	 */
	public JobPayload withFailure(JobFailure failure) {
		Assert.notNull(failure, "'failure' must not be null");
		return with((json) -> json.set(PayloadField.ATTEMPTS.text(), failure.addTo(PayloadField.ATTEMPTS.in(json))));
	}

	/**
	 * Return a copy that has no due time and counts as never having failed. The copy
	 * keeps its {@linkplain #failures() history of failures}.
	 */
	public JobPayload withoutFailure() {
		return with((json) -> json.remove(Envelope.FAILURE));
	}

	/** Return the whole job as a JSON object, which must not be changed. */
	public ObjectNode json() {
		ObjectNode tree = this.json;
		if (tree == null) {
			JsonMapper mapper = Objects.requireNonNull(this.mapper);
			tree = Envelope.readTree(mapper, Objects.requireNonNull(this.stored));
			if (this.arguments != null) {
				tree.set(PayloadField.ARGS.text(), Envelope.readArguments(mapper, this.arguments));
			}
			this.json = tree;
		}
		return tree;
	}

	private @Nullable String text(PayloadField field) {
		JsonNode value = field.in(json());
		return value.isString() ? value.stringValue() : null;
	}

	@Override
	public boolean equals(@Nullable Object other) {
		return other instanceof JobPayload that && json().equals(that.json());
	}

	@Override
	public int hashCode() {
		return json().hashCode();
	}

	@Override
	public String toString() {
		// Arguments may contain secrets, and payloads are written to logs.
		return Names.printable(name()) + "[" + Names.printable(id()) + "]";
	}

}
