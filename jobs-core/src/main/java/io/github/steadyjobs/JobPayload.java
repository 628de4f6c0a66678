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
 * A job as it is stored: Sidekiq's job hash. Immutable; fields that this version does not
 * know are kept.
 */
public final class JobPayload {

	private final Envelope envelope;

	private final @Nullable JsonMapper mapper;

	private final byte @Nullable [] stored;

	private volatile @Nullable ObjectNode json;

	/** Arguments in place of the stored ones. */
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
	 * Make a payload from a JSON object, for example for the test of a listener.
	 * @param json the object, with the fields of {@code docs/wire-format.md}; not to be
	 * changed afterwards
	 * @throws InvalidJobException if it lacks an id, a name or a list of arguments
	 */
	public static JobPayload of(ObjectNode json) {
		Assert.notNull(json, "'json' must not be null");
		return new JobPayload(Envelope.of(json), null, null, json, null);
	}

	/**
	 * Read a payload as it is stored. The arguments are examined only when they are asked
	 * for, so a mistake in them shows only then.
	 * @param stored JSON; not to be changed afterwards
	 * @throws InvalidJobException if it is not a JSON object with the fields of a job
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
			// Whatever the exception is, the job cannot be read. The message may quote
			// the payload.
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

	/** Return the arguments of the job as JSON, not to be changed. */
	public ArrayNode arguments() {
		return (ArrayNode) PayloadField.ARGS.in(json());
	}

	/**
	 * Read the arguments of the job without making a tree of them.
	 * @return a parser in front of the array of arguments, to be closed by the caller
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
	 * Return the same job with other arguments, which may be examined only later.
	 * @param arguments a JSON array; not to be changed afterwards
	 * @throws InvalidJobException if they are examined and are not a JSON array
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
	 * Return how often the job is to be retried, if it says so itself.
	 * @param defaultRetries the number to take where the job says {@code true} or nothing
	 * @return zero or more
	 */
	public int retries(int defaultRetries) {
		Integer own = this.envelope.retries;
		return (own != null) ? own : defaultRetries;
	}

	/** Return whether the job is kept when it has failed for the last time. */
	public boolean isKeptWhenDead() {
		return this.envelope.keptWhenDead;
	}

	/** Return how long the job may be tried, as far as it says so itself. */
	public JobLimits limits() {
		return this.envelope.limits;
	}

	/**
	 * Return how many attempts to run the job have failed so far. In
	 * {@link JobListener#failed} that is the {@linkplain JobContext#attempt() attempt}
	 * that has just failed.
	 * @return 0 for a job that never failed, 1 after its first failure
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
	 * @return the time, to the millisecond; the time of its creation if it was scheduled
	 */
	public Instant enqueuedAt() {
		Instant enqueued = Envelope.instant(this.envelope.enqueuedAt);
		return (enqueued != null) ? enqueued : createdAt();
	}

	/** Return when the job is or was due, {@code null} if that was at once. */
	public @Nullable Instant at() {
		return Envelope.instant(this.envelope.at);
	}

	/** Return when the job failed for the first time, {@code null} if it never did. */
	public @Nullable Instant failedAt() {
		return Envelope.instant(Envelope.number(PayloadField.FAILED_AT.in(json())));
	}

	/** Return when the job failed last, {@code null} if it did not fail twice. */
	public @Nullable Instant retriedAt() {
		return Envelope.instant(Envelope.number(PayloadField.RETRIED_AT.in(json())));
	}

	/** Return the name of the class of the last failure, or {@code null}. */
	public @Nullable String errorClass() {
		return text(PayloadField.ERROR_CLASS);
	}

	/** Return the message of the last failure, or {@code null}. */
	public @Nullable String errorMessage() {
		return text(PayloadField.ERROR_MESSAGE);
	}

	/**
	 * Return the key of an ordered job: jobs with the same key run one after another.
	 * @return the key, or {@code null} for a job that is not {@link Sequential}
	 */
	public @Nullable String key() {
		return this.envelope.key;
	}

	/** Return the tags of the job, often none. */
	public List<String> tags() {
		return this.envelope.tags;
	}

	/** Return names and values that were attached to the job, often none. */
	public Map<String, String> meta() {
		return this.envelope.meta;
	}

	/**
	 * Return any field of the job.
	 * @param field the name of the field
	 * @return the value, a missing node if there is none; not to be changed
	 */
	public JsonNode field(String field) {
		Assert.notNull(field, "'field' must not be null");
		return json().path(field);
	}

	/**
	 * Return a changed copy.
	 * @param change makes the changes
	 */
	public JobPayload with(Consumer<ObjectNode> change) {
		Assert.notNull(change, "'change' must not be null");
		ObjectNode copy = JsonNodeFactory.instance.objectNode();
		copy.setAll(json());
		change.accept(copy);
		return of(copy);
	}

	/** Return a copy without failures and due time. */
	public JobPayload withoutFailure() {
		return with((json) -> json.remove(Envelope.FAILURE));
	}

	/** Return the whole job as a JSON object, not to be changed. */
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
		// Arguments may be secrets, and payloads end up in logs.
		return Names.printable(name()) + "[" + Names.printable(id()) + "]";
	}

}
