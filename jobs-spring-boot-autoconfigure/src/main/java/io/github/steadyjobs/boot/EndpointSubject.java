package io.github.steadyjobs.boot;

import java.util.Map;

/**
 * One thing that the endpoint {@code jobs} is about: the first element of the path after
 * it. Thread safe.
 */
interface EndpointSubject {

	/**
	 * Show everything, or a part of it.
	 * @throws OperationRefusedException if it cannot be shown
	 */
	default Map<String, ?> read(OperationArguments arguments) {
		throw OperationRefusedException.notFound("There is nothing to read here: add a name or an id to the path");
	}

	/**
	 * Show one.
	 * @param item its name or id
	 * @throws OperationRefusedException if there is no such thing, or it cannot be shown
	 */
	default Map<String, ?> read(String item, OperationArguments arguments) {
		throw OperationRefusedException
			.notFound("There is nothing to read at '%s': leave it out of the path".formatted(item));
	}

	/**
	 * Change many.
	 * @throws OperationRefusedException if nothing was changed
	 */
	default Map<String, ?> change(String action, OperationArguments arguments) {
		throw OperationRefusedException.badRequest("There is no action '%s' here".formatted(action));
	}

	/**
	 * Change one.
	 * @param item its name or id
	 * @throws OperationRefusedException if it was not changed
	 */
	default Map<String, ?> change(String item, String action, OperationArguments arguments) {
		throw OperationRefusedException.badRequest("There is no action '%s' here".formatted(action));
	}

}
