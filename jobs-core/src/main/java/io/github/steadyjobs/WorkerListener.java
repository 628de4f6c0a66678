package io.github.steadyjobs;

/**
 * Hears what the workers of this process tell, before event listeners of the application
 * do. Meant for parts of this library, which must not depend on what listeners throw and
 * how long they take. An application listens to {@link WorkerEvent}s with
 * {@code @EventListener}.
 * <p>
 * Called for one event after another, on a thread of the workers. What it throws is
 * logged and keeps no other listener from hearing.
 */
@FunctionalInterface
public interface WorkerListener {

	/**
	 * Take note of an event. Should return soon, because later events wait.
	 * @param event what has happened
	 */
	void told(WorkerEvent event);

}
