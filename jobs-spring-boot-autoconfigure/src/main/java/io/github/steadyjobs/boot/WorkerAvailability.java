package io.github.steadyjobs.boot;

import io.github.steadyjobs.WorkerEvent;
import io.github.steadyjobs.server.Capsule;
import io.github.steadyjobs.server.Launcher;

import org.springframework.boot.availability.AvailabilityChangeEvent;
import org.springframework.boot.availability.LivenessState;
import org.springframework.context.ApplicationContext;

/**
 * Asks the platform to restart this process in the one case in which a restart helps: a
 * capsule claims and settles no jobs, although there are jobs, and heartbeats are
 * answered.
 */
final class WorkerAvailability implements WorkerEvent.Listener {

	private final Launcher launcher;

	private final ApplicationContext context;

	WorkerAvailability(Launcher launcher, ApplicationContext context) {
		this.launcher = launcher;
		this.context = context;
	}

	@Override
	public void told(WorkerEvent event) {
		if (event instanceof WorkerEvent.Stalled) {
			AvailabilityChangeEvent.publish(this.context, LivenessState.BROKEN);
		}
		else if (event instanceof WorkerEvent.Resumed
				&& this.launcher.capsules().stream().noneMatch(Capsule.Status::stalled)) {
			AvailabilityChangeEvent.publish(this.context, LivenessState.CORRECT);
		}
	}

}
