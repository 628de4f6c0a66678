package io.github.steadyjobs.test;

import java.time.Instant;
import java.util.ArrayList;
import java.util.List;

import io.github.steadyjobs.ClientInterceptor;
import io.github.steadyjobs.EnqueueResult;
import io.github.steadyjobs.JobRequest;
import io.github.steadyjobs.client.JobClientFactory;
import io.github.steadyjobs.client.JobClientSettings;
import io.github.steadyjobs.client.JobStore;
import io.github.steadyjobs.definition.JobDefinition;
import io.github.steadyjobs.definition.JobRegistry;
import io.github.steadyjobs.definition.Sequence;
import io.github.steadyjobs.redis.PayloadCodec;
import org.jspecify.annotations.Nullable;

import org.springframework.beans.factory.BeanFactory;
import org.springframework.core.Ordered;

/**
 * Sends a request through a client up to the point at which the request would be stored.
 * This object is the last interceptor of the client, and keeps the request instead of
 * passing it on.
 */
final class RequestCapture implements ClientInterceptor, Ordered {

	private @Nullable JobRequest request;

	private @Nullable String id;

	private byte[] payload = {};

	private String key = "";

	private RequestCapture() {
	}

	/**
	 * Capture the data that would be stored for a request.
	 * @param request the request
	 * @param beans the beans of the application
	 * @throws io.github.steadyjobs.InvalidJobException if the request would be refused
	 */
	static RequestCapture of(JobRequest request, BeanFactory beans) {
		JobRegistry registry = beans.getBean(JobRegistry.class);
		PayloadCodec codec = beans.getBean(PayloadCodec.class);
		RequestCapture capture = new RequestCapture();
		List<ClientInterceptor> interceptors = new ArrayList<>(
				beans.getBeanProvider(ClientInterceptor.class).orderedStream().toList());
		interceptors.add(capture);
		JobClientFactory
			.create(beans.getBean(JobStore.class), codec, registry, interceptors, List.of(), JobClientSettings.DEFAULTS)
			.enqueue(request);
		capture.write(codec, registry);
		return capture;
	}

	/**
	 * Return the payload that would be stored.
	 * @return JSON in UTF-8
	 */
	byte[] payload() {
		return this.payload;
	}

	/**
	 * Return the key of an ordered job, or an empty string for any other job.
	 */
	String key() {
		return this.key;
	}

	@Override
	public EnqueueResult intercept(JobRequest request, Chain chain) {
		this.request = request;
		this.id = chain.id();
		return chain.stop();
	}

	private void write(PayloadCodec codec, JobRegistry registry) {
		if (this.request == null || this.id == null) {
			throw new AssertionError("A ClientInterceptor of the application stopped the job, so it would not run.");
		}
		JobRequest.Named target = (JobRequest.Named) this.request.target();
		registry.checkArguments(target.name(), target.arguments());
		JobDefinition definition = registry.find(target.name());
		JobRequest.Options options = withOwnOptions(this.request, definition).options();
		Sequence sequence = (definition != null) ? definition.sequence() : null;
		// Write the payload as a run gets it, without other payloads of its key.
		this.payload = codec
			.write(this.id, target.name(), target.arguments(), options, System.currentTimeMillis(), due(options))
			.json();
		if (sequence != null) {
			this.key = (options.key() != null) ? options.key() : sequence.key(target.name(), target.arguments());
			if (options.score() == null) {
				sequence.score(target.name(), target.arguments());
			}
		}
	}

	/**
	 * Add the options of the job itself that are visible to a run.
	 */
	private static JobRequest withOwnOptions(JobRequest request, @Nullable JobDefinition definition) {
		if (definition == null) {
			return request;
		}
		JobRequest tagged = request.tags(definition.tags()
			.stream()
			.filter((tag) -> !request.options().tags().contains(tag))
			.toArray(String[]::new));
		Integer retries = definition.retry().retries();
		return (request.options().retries() != null || retries == null) ? tagged : tagged.retries(retries);
	}

	private static @Nullable Long due(JobRequest.Options options) {
		if (options.delay() != null) {
			return Instant.now().plus(options.delay()).toEpochMilli();
		}
		return (options.at() != null) ? options.at().toEpochMilli() : null;
	}

	@Override
	public int getOrder() {
		return Ordered.LOWEST_PRECEDENCE;
	}

}
