package io.github.steadyjobs.server;

import org.jspecify.annotations.Nullable;

import org.springframework.context.ApplicationContext;
import org.springframework.context.ApplicationContextAware;
import org.springframework.context.ApplicationListener;
import org.springframework.context.SmartLifecycle;
import org.springframework.context.event.ContextClosedEvent;
import org.springframework.core.Ordered;

/**
 * Makes the worker quiet as one of the first steps of a shutdown, before anything that
 * jobs may need begins to stop. When a context closes, executors refuse tasks before any
 * lifecycle stops, so the event that announces it comes first.
 */
final class Quiet implements SmartLifecycle, ApplicationListener<ContextClosedEvent>, ApplicationContextAware, Ordered {

	static final int PHASE = SmartLifecycle.DEFAULT_PHASE - 512;

	private final Launcher launcher;

	private @Nullable ApplicationContext context;

	private volatile boolean running;

	Quiet(Launcher launcher) {
		this.launcher = launcher;
	}

	@Override
	public void setApplicationContext(ApplicationContext context) {
		this.context = context;
	}

	@Override
	public void onApplicationEvent(ContextClosedEvent event) {
		// Parents hear of it when their children close.
		if (event.getApplicationContext() == this.context) {
			this.launcher.announceStop();
		}
	}

	@Override
	public int getOrder() {
		return Ordered.HIGHEST_PRECEDENCE;
	}

	@Override
	public void start() {
		this.running = true;
	}

	@Override
	public void stop() {
		this.launcher.quiet();
		this.running = false;
	}

	@Override
	public boolean isRunning() {
		return this.running;
	}

	@Override
	public int getPhase() {
		return PHASE;
	}

}
