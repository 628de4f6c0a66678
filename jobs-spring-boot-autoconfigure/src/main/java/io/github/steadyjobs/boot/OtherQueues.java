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
 * Determines which queues may lack a process that serves them, namely those that this
 * process does not serve. While the application is starting, no queue qualifies, because
 * the workers of this process may not be running yet. If this process has no workers, no
 * queue qualifies either, because other processes have to serve all queues. Thread safe.
 */
final class OtherQueues implements Predicate<String> {

	private final ConfigurableApplicationContext context;

	// Cached, because each enqueued job is checked, and looking up the bean would take
	// longer than the rest of the check.
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
