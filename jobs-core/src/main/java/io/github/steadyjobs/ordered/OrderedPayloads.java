package io.github.steadyjobs.ordered;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;

import io.github.steadyjobs.InvalidJobException;
import io.github.steadyjobs.JobPayload;
import io.github.steadyjobs.PayloadField;
import io.github.steadyjobs.definition.JobDefinition;
import io.github.steadyjobs.definition.Sequence;
import io.github.steadyjobs.redis.NewJob;
import io.github.steadyjobs.redis.PayloadCodec;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.node.ObjectNode;

/**
 * The payloads of a running ordered job, in the order of their scores, and the bytes to
 * store if the run ends now. Thread safe, but only the thread that runs the job may
 * change it.
 */
final class OrderedPayloads implements Form {

	private final PayloadCodec codec;

	private final Gathered gathered;

	private volatile JobPayload job;

	private volatile int done;

	/**
	 * Read a stored job.
	 * @throws InvalidJobException if the bytes are not the stored form of an ordered job
	 */
	OrderedPayloads(PayloadCodec codec, byte[] stored) {
		this.codec = codec;
		this.gathered = Gathered.read(stored);
		this.job = codec.read(this.gathered.envelope());
		if (this.gathered.size() == 0) {
			throw new InvalidJobException("The queue is one of ordered jobs, and this one has no payload for a key");
		}
	}

	@Override
	public JobPayload job() {
		return this.job;
	}

	int size() {
		return this.gathered.size();
	}

	/** Return the job with the arguments of one payload. */
	JobPayload get(int index) {
		return this.job.withArguments(this.codec.mapper(), this.gathered.arguments(index));
	}

	List<JobPayload> all() {
		List<JobPayload> all = new ArrayList<>(size());
		for (int index = 0; index < size(); index++) {
			all.add(get(index));
		}
		return all;
	}

	@Override
	public JobPayload current() {
		return get(this.done);
	}

	@Override
	public boolean isFree() {
		return false;
	}

	@Override
	public int mostTogether(JobDefinition definition) {
		return (definition.sequence() != null) ? definition.sequence().batchSize() : 1;
	}

	/**
	 * Bind the payloads of jobs that run together. There is only one job, unless the
	 * method takes payloads by key. A method that takes a single payload is called for
	 * one payload after another, until a payload does not fit.
	 */
	@Override
	public Call bind(List<? extends Run> jobs, JobDefinition definition, Method method) {
		Sequence sequence = definition.sequence();
		if (sequence == null) {
			throw new InvalidJobException("Job '%s' was enqueued for a key, and the method here is no @Sequential"
				.formatted(this.job.name()));
		}
		Run job = jobs.get(0);
		OrderedCall call = new OrderedCall(method, () -> advance(job));
		if (sequence.form() == Sequence.Form.ONE) {
			call.addAll(all(), (payload) -> definition.parameters().bind(payload, job));
		}
		else {
			Map<String, List<JobPayload>> byKey = new LinkedHashMap<>();
			jobs.forEach((each) -> byKey.put(String.valueOf(each.key()), ((OrderedPayloads) each.form()).all()));
			call.add(definition.parameters().bindAll(byKey, job));
		}
		return call;
	}

	private boolean advance(Run job) throws InterruptedException {
		return job.advance(this.gathered.sizeBehind(this.done + 1), freshEnvelope(), this::advanced);
	}

	/**
	 * Record that Redis has confirmed the end of the current payload. The failures of
	 * that payload do not count against the next payload, which gets the full number of
	 * attempts.
	 */
	private void advanced() {
		this.job = hasFailed() ? fresh() : this.job;
		this.done++;
	}

	private boolean hasFailed() {
		return this.job.attempts() > 0 || this.job.at() != null;
	}

	private JobPayload fresh() {
		return this.job.withoutFailure()
			.with((json) -> json.put(PayloadField.ENQUEUED_AT.text(), System.currentTimeMillis()));
	}

	/** Return the envelope without failures, {@code null} if the job has no failures. */
	private byte @Nullable [] freshEnvelope() {
		return hasFailed() ? this.codec.write(fresh()) : null;
	}

	/**
	 * When retries are exhausted, only the payload with the smallest score is dead. The
	 * other payloads continue at once as if nothing had failed.
	 */
	@Override
	public Rest without(@Nullable JobPayload failed, Supplier<String> id, long now) {
		if (failed == null) {
			return new Rest(null, null, rest(this.done), null);
		}
		try {
			JobPayload own = Gathered.withLastFailures(failed, this.job.attempts() + 1);
			JobPayload payload = own.with((json) -> json.set(PayloadField.ARGS.text(), current().arguments())
				.put(PayloadField.JID.text(), id.get())
				.put(PayloadField.SCORE.text(), this.gathered.score(this.done)));
			return new Rest(stored(payload), payload, rest(this.done), null);
		}
		catch (InvalidJobException ex) {
			// A payload that was not needed for the call is parsed only here, when it is
			// kept.
			return unreadable(this.done, ex, id, now);
		}
	}

	@Override
	public byte[] with(byte[] job) {
		return this.gathered.rest(job, this.done, -1);
	}

	/** A payload that is not JSON dies and is kept as text. Other payloads continue. */
	@Override
	public @Nullable Rest withoutUnreadable(Supplier<String> id, long now) {
		for (int index = 0; index < size(); index++) {
			try {
				get(index).arguments();
			}
			catch (InvalidJobException ex) {
				return unreadable(index, ex, id, now);
			}
		}
		return null;
	}

	private Rest unreadable(int index, InvalidJobException problem, Supplier<String> id, long now) {
		String text = new String(this.gathered.arguments(index), StandardCharsets.UTF_8);
		JobPayload own = Gathered.withLastFailures(this.job, failures(index));
		JobPayload payload = own.with((json) -> {
			fail(json, problem, now);
			json.put(PayloadField.JID.text(), id.get())
				.put(PayloadField.SCORE.text(), this.gathered.score(index))
				.put(PayloadField.UNREADABLE.text(), text);
		});
		return new Rest(stored(payload), null, rest(index), problem);
	}

	private static void fail(ObjectNode json, InvalidJobException problem, long now) {
		json.put(PayloadField.FAILED_AT.text(), now);
		json.put(PayloadField.ERROR_CLASS.text(), problem.getClass().getName());
		json.put(PayloadField.ERROR_MESSAGE.text(), problem.getMessage());
	}

	private NewJob stored(JobPayload payload) {
		return new NewJob(payload.id(), this.codec.write(payload), null);
	}

	/**
	 * Return the bytes to store, without the given payload and without the payloads that
	 * are done.
	 */
	private byte[] rest(int without) {
		JobPayload rest = Gathered.withoutLastFailures(hasFailed() ? fresh() : this.job, failures(without));
		return this.gathered.rest(this.codec.write(rest), this.done, without);
	}

	/** Return how many of the failures belong to a payload. */
	private int failures(int index) {
		return (index == this.done) ? this.job.attempts() : 0;
	}

}
