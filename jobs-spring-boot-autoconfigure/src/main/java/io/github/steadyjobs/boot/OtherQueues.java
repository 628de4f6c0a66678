package io.github.steadyjobs.boot;

import java.util.Set;
import java.util.function.Predicate;
import java.util.stream.Collectors;

import io.github.steadyjobs.server.Launcher;
import org.jspecify.annotations.Nullable;

import org.springframework.beans.factory.ObjectProvider;
import org.springframework.context.ConfigurableApplicationContext;

/**
 * Knows which queues this process does not serve. While the application starts, there are
 * none, because its workers may not run yet. Thread safe.
 */
final class OtherQueues implements Predicate<String> {

	private final ConfigurableApplicationContext context;

	private final ObjectProvider<Launcher> launcher;

	private volatile @Nullable Set<String> own;

	OtherQueues(ConfigurableApplicationContext context, ObjectProvider<Launcher> launcher) {
		this.context = context;
		this.launcher = launcher;
	}

	@Override
	public boolean test(String queue) {
		Set<String> own = this.own;
		if (own == null) {
			if (!this.context.isRunning()) {
				return false;
			}
			own = this.launcher.stream()
				.flatMap((launcher) -> launcher.capsules().stream())
				.flatMap((capsule) -> capsule.queues().stream())
				.collect(Collectors.toUnmodifiableSet());
			this.own = own;
		}
		return !own.contains(queue);
	}

}
