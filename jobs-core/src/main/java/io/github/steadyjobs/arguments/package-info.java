/**
 * Arguments as JSON: which types can be stored and read back, and how values are checked
 * when they are enqueued and bound when they are read.
 * <p>
 * Start with {@link io.github.steadyjobs.arguments.JobParameters}, which checks and binds
 * the arguments of one {@link io.github.steadyjobs.arguments.BeanMethod}.
 * {@link io.github.steadyjobs.arguments.JobJson} makes the mapper that writes and reads
 * them. {@link io.github.steadyjobs.arguments.JobExpression} works out a value from them.
 * <p>
 * Imports the root package only. It knows types and values, but not the registry, nor how
 * annotations are read.
 * <p>
 * <strong>Problem:</strong> arguments that are written at enqueue have to be read days
 * later, perhaps by another release. <strong>Solution:</strong> the declared types are
 * walked at start-up, along the very properties that Jackson writes. The walk leaves a
 * check of values that looks only where the types promise nothing: most arguments are
 * never examined.
 * <p>
 * <strong>Problem:</strong> an expression fails when it is evaluated, which may be long
 * after the start. <strong>Solution:</strong> it is parsed and walked at start-up: it may
 * refer only to its variables, and to properties that their declared types have.
 */
@NullMarked
package io.github.steadyjobs.arguments;

import org.jspecify.annotations.NullMarked;
