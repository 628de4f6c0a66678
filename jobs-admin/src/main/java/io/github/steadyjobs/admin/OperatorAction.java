package io.github.steadyjobs.admin;

import java.time.Instant;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * A change that an operator has made. Published as an application event, in the thread
 * that made the change. A change to many jobs publishes an event for each of its steps,
 * all with the same id; {@link JobActivity#page} shows the change as a single action.
 *
 * @param id the id of the action
 * @param who the name of the person or program that made the change; see
 * {@link JobsActor}
 * @param action the kind of change, as named by the endpoint, such as {@code retry}
 * @param target the object of the change: an id or a name, under {@code job},
 * {@code queue}, {@code recurring} and so on, or the parts of a filter. Values are cut
 * off after 255 characters
 * @param count the number of jobs or other objects that were changed; in an event, only
 * those changed by that step
 * @param since when the change was made or, if it has several steps, when the first step
 * was made, by the clock of Redis
 * @param at when the change was made or, if it has several steps, when the latest step
 * was made, by the clock of Redis
 */
public record OperatorAction(String id, String who, String action, Map<String, String> target, long count,
		Instant since, Instant at) {

	public OperatorAction {
		target = Collections.unmodifiableMap(new LinkedHashMap<>(target));
	}

}
