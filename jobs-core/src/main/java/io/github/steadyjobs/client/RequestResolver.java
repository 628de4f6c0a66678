package io.github.steadyjobs.client;

import java.util.Collections;

import io.github.steadyjobs.JobRequest;
import io.github.steadyjobs.JobRequest.Called;
import io.github.steadyjobs.JobRequest.Named;
import io.github.steadyjobs.JobRequest.Options;
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
		if (request.target() instanceof Typed typed) {
			JobDefinition definition = this.registry.forArgument(typed.argument().getClass());
			Named target = new Named(definition.name(), Collections.singletonList(typed.argument()));
			return new ResolvedRequest(target, definition, request.options());
		}
		if (request.target() instanceof Called<?> called) {
			RecordedCall call = this.recorder.record(called);
			Named target = new Named(call.definition().name(), call.arguments());
			return new ResolvedRequest(target, call.definition(), request.options());
		}
		Named named = (Named) request.target();
		return new ResolvedRequest(named, this.registry.find(named.name()).orElse(null), request.options());
	}

	/**
	 * Resolve a request that interceptors have changed. While it has the name it had
	 * before, it means the same job, even one that cannot be found by name.
	 */
	ResolvedRequest resolveAgain(JobRequest changed, ResolvedRequest before) {
		if (changed.target() instanceof Named named && named.name().equals(before.name())) {
			return new ResolvedRequest(named, before.definition(), changed.options());
		}
		ResolvedRequest other = resolve(changed);
		// Interceptors were shown the queue of the former job, which is not that of this
		// one.
		boolean shown = before.options().queue() == null && before.queue().equals(changed.options().queue());
		return shown ? new ResolvedRequest(other.target(), other.definition(), withoutQueue(changed.options())) : other;
	}

	private static Options withoutQueue(Options options) {
		return new Options(options.delay(), options.at(), null, options.retries(), options.dead(), options.tags(),
				options.meta(), options.beforeCommit(), options.durability(), options.idempotence());
	}

}
