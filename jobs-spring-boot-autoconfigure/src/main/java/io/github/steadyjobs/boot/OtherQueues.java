package io.github.steadyjobs.boot;

import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;
import java.util.stream.Collectors;

import io.github.steadyjobs.server.Launcher;
import org.jspecify.annotations.Nullable;

import org.springframework.beans.factory.ObjectProvider;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.util.function.SingletonSupplier;

/**
 * Knows which queues may have no process that serves them: those that this process does
 * not serve. There are none while the application starts, because its workers may not run
 * yet, and none if workers are switched off, because then other processes have to serve
 * the queues. Thread safe.
 */
final class OtherQueues implements Predicate<String> {

	private final ConfigurableApplicationContext context;

	// Needed for each job, and looking up a bean takes longer than the rest.
	private final SingletonSupplier<Optional<Launcher>> launcher;

	private volatile @Nullable Set<String> own;

	OtherQueues(ConfigurableApplicationContext context, ObjectProvider<Launcher> launcher) {
		this.context = context;
		this.launcher = SingletonSupplier.of(() -> Optional.ofNullable(launcher.getIfAvailable()));
	}

	@Override
	public boolean test(String queue) {
		Set<String> own = this.own;
		if (own == null) {
			if (!this.context.isRunning()) {
				return false;
			}
			Launcher workers = this.launcher.obtain().orElse(null);
			if (workers == null || !workers.isRunning() && !workers.isAutoStartup()) {
				return false;
			}
			own = workers.capsules()
				.stream()
				.flatMap((capsule) -> capsule.queues().stream())
				.collect(Collectors.toUnmodifiableSet());
			this.own = workers.isRunning() ? own : null;
		}
		return !own.contains(queue);
	}

}
