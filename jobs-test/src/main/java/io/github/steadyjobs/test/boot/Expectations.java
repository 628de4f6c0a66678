package io.github.steadyjobs.test.boot;

import java.util.Arrays;
import java.util.List;

import io.github.steadyjobs.InvalidJobException;
import io.github.steadyjobs.JobPayload;
import io.github.steadyjobs.JobRequest;
import io.github.steadyjobs.client.JobClientFactory;
import io.github.steadyjobs.client.JobClientSettings;
import io.github.steadyjobs.client.PreparingJobClient;
import io.github.steadyjobs.definition.JobDefinition;
import io.github.steadyjobs.definition.JobRegistry;
import io.github.steadyjobs.redis.PayloadCodec;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.node.ArrayNode;

/**
 * Finds the jobs that assertions are about. Thread safe.
 */
final class Expectations {

	private static final String NO_ID = "0".repeat(24);

	private final JobRegistry registry;

	private final PayloadCodec codec;

	/** Writes the expected arguments, and calls no interceptor and no listener. */
	private final PreparingJobClient client;

	Expectations(JobRegistry registry, PayloadCodec codec, Recordings recordings) {
		this.registry = registry;
		this.codec = codec;
		this.client = JobClientFactory.create(new RecordingStorage.InMemory(recordings, codec), codec, registry,
				List.of(), List.of(), JobClientSettings.DEFAULTS);
	}

	/**
	 * Return the name of the job that takes an argument of the given type.
	 * @throws AssertionError if no job, or more than one, takes such an argument
	 */
	String nameOf(Class<?> argument) {
		try {
			return this.registry.forArgument(argument).name();
		}
		catch (InvalidJobException ex) {
			throw new AssertionError("No assertion can be made. %s. %s".formatted(ex.getMessage(), known()), ex);
		}
	}

	/**
	 * Return the job that a request asks for, as it would be stored.
	 * @throws AssertionError if the request is invalid, for example because no job takes
	 * its argument
	 */
	JobPayload expected(JobRequest request) {
		try {
			PreparingJobClient.Prepared prepared = this.client.prepare(request, NO_ID);
			if (prepared == null) {
				throw new IllegalStateException("Nothing could stop the request");
			}
			return RecordedJob.read(this.codec, prepared.job());
		}
		catch (InvalidJobException ex) {
			throw new AssertionError("No assertion can be made. %s. %s".formatted(ex.getMessage(), known()), ex);
		}
	}

	/** Return whether a job has a name, or another name of the same definition. */
	boolean hasName(RecordedJob job, String name) {
		JobDefinition definition = this.registry.find(name);
		return job.payload().name().equals(name)
				|| (definition != null && this.registry.find(job.payload().name()) == definition);
	}

	boolean isKnown(String name) {
		return this.registry.find(name) != null;
	}

	/** Return a sentence that names the known jobs. */
	String known() {
		List<String> names = this.registry.names().stream().sorted().toList();
		return names.isEmpty() ? "No bean of this context has a job."
				: "Jobs of this context: '%s'.".formatted(String.join("', '", names));
	}

	ArrayNode json(String name, @Nullable Object... arguments) {
		return (ArrayNode) this.codec.mapper().readTree(this.codec.writeArguments(name, Arrays.asList(arguments)));
	}

	<T> T firstArgument(RecordedJob job, Class<T> type) {
		return this.codec.mapper().treeToValue(job.payload().arguments().path(0), type);
	}

}
