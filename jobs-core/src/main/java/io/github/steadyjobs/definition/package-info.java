/**
 * Turns annotations into definitions: which jobs this application has, how they are
 * called, and what they declare about order, retries and a second run.
 * <p>
 * Start with {@link io.github.steadyjobs.definition.JobRegistry}, which finds a
 * {@link io.github.steadyjobs.definition.JobDefinition} by name, by argument or by call.
 * The definition of an ordered job has a
 * {@link io.github.steadyjobs.definition.Sequence}.
 * <p>
 * This package imports {@code arguments} and the root package. The client and the workers
 * look up jobs here, but this package depends on neither of them. It only reads the rules
 * for equal jobs; the client takes the locks.
 * <p>
 * <strong>Problem:</strong> the registry is needed before all beans exist, and the types
 * of some beans are known only from the instance. <strong>Solution:</strong> jobs are
 * collected when the registry is first used, and again when all singletons exist. Proxies
 * are then examined too. No bean is created for this purpose.
 * <p>
 * <strong>Problem:</strong> reporting one mistake at a time means one restart per
 * mistake. <strong>Solution:</strong> every check adds to a list of problems, which is
 * thrown as a single {@link io.github.steadyjobs.definition.JobDefinitionException}.
 * <p>
 * <strong>Problem:</strong> the method of an ordered job may take a list of payloads,
 * although payloads are enqueued one by one. <strong>Solution:</strong> everything except
 * the call of the method deals with a single payload: arguments, their types, their
 * signature, lookup by type, and the method for exhausted retries.
 */
@NullMarked
package io.github.steadyjobs.definition;

import org.jspecify.annotations.NullMarked;
