package io.github.steadyjobs.boot;

import java.util.Map;

/**
 * A subject of the endpoint {@code jobs}. The path element after the name of the endpoint
 * selects a subject. Thread safe.
 */
interface EndpointSubject {

	/**
	 * Show all items, or some of them.
	 * @throws OperationRefusedException if the items cannot be shown
	 */
	default Map<String, ?> read(OperationArguments arguments) {
		throw OperationRefusedException.notFound("There is nothing to read here: add a name or an id to the path");
	}

	/**
	 * Show one item.
	 * @param item the name or id of the item
	 * @throws OperationRefusedException if there is no such item, or it cannot be shown
	 */
	default Map<String, ?> read(String item, OperationArguments arguments) {
		throw OperationRefusedException
			.notFound("There is nothing to read at '%s': leave it out of the path".formatted(item));
	}

	/**
	 * Change several items.
	 * @throws OperationRefusedException if nothing was changed
	 */
	default Map<String, ?> change(String action, OperationArguments arguments) {
		throw OperationRefusedException.badRequest("There is no action '%s' here".formatted(action));
	}

	/**
	 * Change one item.
	 * @param item the name or id of the item
	 * @throws OperationRefusedException if the item was not changed
	 */
	default Map<String, ?> change(String item, String action, OperationArguments arguments) {
		throw OperationRefusedException.badRequest("There is no action '%s' here".formatted(action));
	}

}
