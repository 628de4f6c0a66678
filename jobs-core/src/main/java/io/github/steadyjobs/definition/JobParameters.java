package io.github.steadyjobs.definition;

import java.util.List;

import io.github.steadyjobs.JobContext;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/**
 * What a job takes. Thread safe.
 */
interface JobParameters {

	/**
	 * Check arguments that are to be enqueued.
	 * @param job the name of the job
	 * @param arguments the arguments
	 * @throws io.github.steadyjobs.InvalidJobException if one does not fit
	 */
	void check(String job, List<? extends @Nullable Object> arguments);

	/**
	 * Bind stored arguments.
	 * @param job the name of the job
	 * @param arguments the stored arguments
	 * @param context the context of the run
	 * @return a value for each parameter of the method
	 * @throws io.github.steadyjobs.InvalidJobException if one does not fit
	 */
	@Nullable Object[] bind(String job, JsonNode arguments, JobContext context);

	/**
	 * Return what changes when other arguments can be bound.
	 * @return a short text
	 */
	String signature();

	/**
	 * Return the type of the only argument.
	 * @return the type, no primitive; {@code null} if there is not exactly one
	 */
	@Nullable Class<?> onlyType();

}
