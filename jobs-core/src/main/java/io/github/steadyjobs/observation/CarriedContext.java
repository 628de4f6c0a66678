package io.github.steadyjobs.observation;

import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

import io.github.steadyjobs.JobContext;
import io.github.steadyjobs.ServerInterceptor;
import io.micrometer.context.ContextRegistry;
import io.micrometer.context.ThreadLocalAccessor;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.MDC;

import org.springframework.core.Ordered;
import org.springframework.core.PriorityOrdered;
import org.springframework.util.ClassUtils;

/**
 * Captures values of the thread that enqueues a job, to be stored in the
 * {@link JobContext#meta() meta} of the job, and sets them again while the job runs. Each
 * key names the value of a {@link ThreadLocalAccessor} if one is registered with that
 * key, and otherwise a value of the log context. Only strings of up to 1,024 characters
 * travel. Thread safe.
 */
public final class CarriedContext implements ServerInterceptor, PriorityOrdered {

	private static final int LONGEST = 1024;

	private static final Logger logger = LoggerFactory.getLogger(CarriedContext.class);

	private static final boolean HAS_ACCESSORS = ClassUtils.isPresent("io.micrometer.context.ContextRegistry",
			CarriedContext.class.getClassLoader());

	private final List<String> keys;

	/** The keys about which a warning was logged. */
	private final Set<String> warned = ConcurrentHashMap.newKeySet();

	public CarriedContext(Collection<String> keys) {
		this.keys = List.copyOf(keys);
	}

	/** Return the values of the current thread that can travel. */
	Map<String, String> capture() {
		if (this.keys.isEmpty()) {
			return Map.of();
		}
		Map<String, String> values = new LinkedHashMap<>();
		for (String key : this.keys) {
			guarded(key, () -> {
				Object value = source(key).get();
				if (value instanceof String text && text.length() <= LONGEST) {
					values.put(key, text);
				}
				else if (value != null) {
					warn(key, "is a string of more than %d characters, or no string but a %s".formatted(LONGEST,
							value.getClass().getName()), null);
				}
			});
		}
		return values;
	}

	@Override
	public void intercept(JobContext job, Chain chain) throws Exception {
		if (this.keys.isEmpty() || job.meta().isEmpty()) {
			chain.proceed();
			return;
		}
		Map<String, String> meta = job.meta();
		List<String> carried = this.keys.stream().filter(meta::containsKey).toList();
		Map<String, @Nullable Object> before = new HashMap<>();
		carried.forEach((key) -> guarded(key, () -> {
			Source source = source(key);
			before.put(key, source.get());
			source.set(meta.get(key));
		}));
		try {
			chain.proceed();
		}
		finally {
			// A worker's thread has no other values, but in a test, a job may run on the
			// thread that has enqueued it.
			carried.forEach((key) -> guarded(key, () -> source(key).set(before.get(key))));
		}
	}

	private static Source source(String key) {
		Source accessor = HAS_ACCESSORS ? Accessor.find(key) : null;
		return (accessor != null) ? accessor : new LogKey(key);
	}

	/** Run an action, and log any exception: accessors are code of the application. */
	private void guarded(String key, Runnable action) {
		try {
			action.run();
		}
		catch (Throwable ex) {
			warn(key, "cannot be read or set", ex);
		}
	}

	private void warn(String key, String problem, @Nullable Throwable failure) {
		if (this.warned.add(key)) {
			logger.warn("The context key '{}' does not travel with jobs, because its value {}. The jobs themselves are "
					+ "not affected, and this is logged once", key, problem, failure);
		}
	}

	@Override
	public int getOrder() {
		// Within the observation, and outside all interceptors without a priority.
		return Ordered.HIGHEST_PRECEDENCE + 10;
	}

	/** A value of the current thread. */
	private interface Source {

		@Nullable Object get();

		/** Set the value, or remove it if it is {@code null}. */
		void set(@Nullable Object value);

	}

	private record LogKey(String key) implements Source {

		@Override
		public @Nullable Object get() {
			return MDC.get(this.key);
		}

		@Override
		public void set(@Nullable Object value) {
			if (value != null) {
				MDC.put(this.key, value.toString());
			}
			else {
				MDC.remove(this.key);
			}
		}

	}

	/** Loaded only if the library with the accessors is present. */
	private record Accessor(ThreadLocalAccessor<Object> accessor) implements Source {

		@SuppressWarnings("unchecked")
		static @Nullable Source find(String key) {
			for (ThreadLocalAccessor<?> accessor : ContextRegistry.getInstance().getThreadLocalAccessors()) {
				if (accessor.key().equals(key)) {
					return new Accessor((ThreadLocalAccessor<Object>) accessor);
				}
			}
			return null;
		}

		@Override
		public @Nullable Object get() {
			return this.accessor.getValue();
		}

		@Override
		public void set(@Nullable Object value) {
			if (value != null) {
				this.accessor.setValue(value);
			}
			else {
				this.accessor.setValue();
			}
		}

	}

}
