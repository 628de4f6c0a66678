/**
 * Arguments as JSON: which types can be stored and read back, and how values are checked
 * when they are enqueued and bound when they are read.
 * <p>
 * Start with {@link io.github.steadyjobs.arguments.JobParameters}, which checks and binds
 * the arguments of one {@link io.github.steadyjobs.arguments.BeanMethod}.
 * {@link io.github.steadyjobs.arguments.JobJson} creates the mapper that writes and reads
 * arguments. {@link io.github.steadyjobs.arguments.JobExpression} computes a value from
 * arguments.
 * <p>
 * This package imports only the root package. It deals with types and values, but not
 * with the registry or with the reading of annotations.
 * <p>
 * <strong>Problem:</strong> arguments that are written when a job is enqueued must be
 * readable days later, perhaps by another release. <strong>Solution:</strong> the
 * declared types are walked at start-up, along exactly the properties that Jackson
 * writes. The walk returns a check that examines only those values that the types do not
 * guarantee to be safe. Most arguments are never examined.
 * <p>
 * <strong>Problem:</strong> a faulty expression fails only when it is evaluated, which
 * may be long after start-up. <strong>Solution:</strong> each expression is parsed and
 * walked at start-up. It may refer only to its variables and to properties of the
 * declared types of these variables.
 */
@NullMarked
package io.github.steadyjobs.arguments;

import org.jspecify.annotations.NullMarked;
