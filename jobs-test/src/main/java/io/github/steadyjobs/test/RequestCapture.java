package io.github.steadyjobs.test;

import java.time.Instant;
import java.util.ArrayList;
import java.util.List;

import io.github.steadyjobs.ClientInterceptor;
import io.github.steadyjobs.EnqueueResult;
import io.github.steadyjobs.Job;
import io.github.steadyjobs.JobRequest;
import io.github.steadyjobs.client.JobClientFactory;
import io.github.steadyjobs.client.JobClientSettings;
import io.github.steadyjobs.definition.JobDefinition;
import io.github.steadyjobs.definition.JobRegistry;
import io.github.steadyjobs.redis.JobStore;
import io.github.steadyjobs.redis.PayloadCodec;
import org.jspecify.annotations.Nullable;

import org.springframework.beans.factory.BeanFactory;
import org.springframework.core.Ordered;

/**
 * Takes a request on its way to Redis, up to where it would be stored: the last
 * interceptor of a client, which keeps the request instead.
 */
final class RequestCapture implements ClientInterceptor, Ordered {

	private @Nullable JobRequest request;

	private @Nullable String id;

	private RequestCapture() {
	}

	/**
	 * Return what would be stored for a request.
	 * @param request the request
	 * @param beans the beans of the application
	 * @return JSON in UTF-8
	 * @throws io.github.steadyjobs.InvalidJobException if the request would be refused
	 */
	static byte[] payload(JobRequest request, BeanFactory beans) {
		JobRegistry registry = beans.getBean(JobRegistry.class);
		PayloadCodec codec = beans.getBean(PayloadCodec.class);
		RequestCapture capture = new RequestCapture();
		List<ClientInterceptor> interceptors = new ArrayList<>(
				beans.getBeanProvider(ClientInterceptor.class).orderedStream().toList());
		interceptors.add(capture);
		JobClientFactory
			.create(beans.getBean(JobStore.class), codec, registry, interceptors, JobClientSettings.defaults())
			.enqueue(request);
		return codec.write(capture.envelope(registry));
	}

	@Override
	public EnqueueResult intercept(JobRequest request, Chain chain) {
		this.request = request;
		this.id = chain.id();
		return chain.stop();
	}

	private PayloadCodec.Envelope envelope(JobRegistry registry) {
		if (this.request == null || this.id == null) {
			throw new AssertionError("A ClientInterceptor of the application stopped the job, so it would not run.");
		}
		JobRequest.Named target = (JobRequest.Named) this.request.target();
		JobRequest.Options options = this.request.options();
		registry.checkArguments(target.name(), target.arguments());
		JobDefinition definition = registry.find(target.name()).orElse(null);
		String queue = (options.queue() != null) ? options.queue() : "default";
		return new PayloadCodec.Envelope(this.id, target.name(), target.arguments(), queue,
				retries(options, definition), true, System.currentTimeMillis(), due(options), options.tags(),
				options.meta());
	}

	private static @Nullable Integer retries(JobRequest.Options options, @Nullable JobDefinition definition) {
		if (options.retries() != null) {
			return options.retries();
		}
		return (definition == null || definition.retries() == Job.DEFAULT_RETRIES) ? null : definition.retries();
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
