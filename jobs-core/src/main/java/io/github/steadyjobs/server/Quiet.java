package io.github.steadyjobs.server;

import org.springframework.context.SmartLifecycle;

/**
 * Makes the worker quiet as one of the first steps of a shutdown, before anything that
 * jobs may need begins to stop.
 */
final class Quiet implements SmartLifecycle {

	static final int PHASE = SmartLifecycle.DEFAULT_PHASE - 512;

	private final Launcher launcher;

	private volatile boolean running;

	Quiet(Launcher launcher) {
		this.launcher = launcher;
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
