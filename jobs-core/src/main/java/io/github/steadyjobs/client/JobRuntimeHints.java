package io.github.steadyjobs.client;

import java.util.List;

import io.github.steadyjobs.Idempotent;
import io.github.steadyjobs.Job;
import io.github.steadyjobs.JobContext;
import io.github.steadyjobs.JobType;
import io.github.steadyjobs.NotIdempotent;
import io.github.steadyjobs.Recurring;
import io.github.steadyjobs.RetriesExhausted;
import io.github.steadyjobs.Sequential;
import io.github.steadyjobs.arguments.JobJson;
import org.jspecify.annotations.Nullable;

import org.springframework.aot.hint.MemberCategory;
import org.springframework.aot.hint.RuntimeHints;
import org.springframework.aot.hint.RuntimeHintsRegistrar;

/**
 * Registers what every application needs in a native image: the scripts of all modules,
 * the annotations, which Spring synthesizes, and the context of a recorded call.
 */
final class JobRuntimeHints implements RuntimeHintsRegistrar {

	private static final List<Class<?>> IMPLEMENTED = List.of(JobContext.class, Job.class, JobType.class,
			Idempotent.class, NotIdempotent.class, Sequential.class, Recurring.class, RetriesExhausted.class);

	@Override
	public void registerHints(RuntimeHints hints, @Nullable ClassLoader classLoader) {
		hints.resources().registerPattern("io/github/steadyjobs/**/*.lua");
		IMPLEMENTED.forEach(hints.proxies()::registerJdkProxy);
		hints.reflection()
			.registerTypeIfPresent(classLoader, JobJson.KOTLIN, MemberCategory.INVOKE_DECLARED_CONSTRUCTORS);
	}

}
