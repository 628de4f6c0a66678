package io.github.steadyjobs;

/**
 * Receives the events of the workers of this process, before event listeners of the
 * application. Meant for parts of this library, which must not depend on the exceptions
 * and the duration of listeners. An application listens to {@link WorkerEvent}s with
 * {@code @EventListener}.
 * <p>
 * Called for one event after another, on a thread of the workers. An exception is logged
 * and does not keep the event from other listeners.
 */
@FunctionalInterface
public interface WorkerListener {

	/**
	 * Handle an event. Should return soon, because later events wait.
	 * @param event what has happened
	 */
	void told(WorkerEvent event);

}
