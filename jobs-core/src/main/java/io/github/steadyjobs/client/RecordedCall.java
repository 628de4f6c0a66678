package io.github.steadyjobs.client;

import java.util.List;

import io.github.steadyjobs.definition.JobDefinition;
import org.jspecify.annotations.Nullable;

/**
 * A job and the arguments it was called with.
 *
 * @param definition the job
 * @param arguments the arguments, without the context
 */
record RecordedCall(JobDefinition definition, List<@Nullable Object> arguments) {

}
