package io.github.steadyjobs.client;

import java.util.Collections;

import io.github.steadyjobs.JobRequest;
import io.github.steadyjobs.JobRequest.Called;
import io.github.steadyjobs.JobRequest.Named;
import io.github.steadyjobs.JobRequest.Typed;
import io.github.steadyjobs.definition.JobDefinition;
import io.github.steadyjobs.definition.JobRegistry;

/**
 * Finds the job that a request means. Thread safe.
 */
final class RequestResolver {

	private final JobRegistry registry;

	private final CallRecorder recorder;

	RequestResolver(JobRegistry registry) {
		this.registry = registry;
		this.recorder = new CallRecorder(registry);
	}

	ResolvedRequest resolve(JobRequest request) {
		return resolve(request, false);
	}

	private ResolvedRequest resolve(JobRequest request, boolean ownQueue) {
		if (request.target() instanceof Typed typed) {
			JobDefinition definition = this.registry.forArgument(typed.argument().getClass());
			Named target = new Named(definition.name(), Collections.singletonList(typed.argument()));
			return new ResolvedRequest(request.target(target), definition, ownQueue);
		}
		if (request.target() instanceof Called<?> called) {
			RecordedCall call = this.recorder.record(called);
			Named target = new Named(call.definition().name(), call.arguments());
			return new ResolvedRequest(request.target(target), call.definition(), ownQueue);
		}
		Named named = (Named) request.target();
		return new ResolvedRequest(request, this.registry.find(named.name()).orElse(null), ownQueue);
	}

	/**
	 * Resolve a request that interceptors have changed. While it has the name it had
	 * before, it means the same job, even one that cannot be found by name.
	 */
	ResolvedRequest resolveAgain(JobRequest changed, ResolvedRequest before) {
		if (changed.target() instanceof Named named && named.name().equals(before.name())) {
			return new ResolvedRequest(changed, before.definition(), false);
		}
		// Interceptors were shown the queue of the former job, which is not that of this
		// one.
		boolean shown = before.options().queue() == null && before.queue().equals(changed.options().queue());
		return resolve(changed, shown);
	}

}
