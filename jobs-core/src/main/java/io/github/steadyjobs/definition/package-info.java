/**
 * From annotations to definitions: which jobs this application has, how they are called,
 * and what they say about order, retries and a second run.
 * <p>
 * Start with {@link io.github.steadyjobs.definition.JobRegistry}, which finds a
 * {@link io.github.steadyjobs.definition.JobDefinition} by name, by argument or by call.
 * The definition of an ordered job has a
 * {@link io.github.steadyjobs.definition.Sequence}.
 * <p>
 * Imports {@code arguments} and the root package. Client and workers ask it for jobs; it
 * does not know them. It reads the rules for equal jobs, and the client takes the locks.
 * <p>
 * <strong>Problem:</strong> the registry is needed before all beans exist, and some types
 * are known only from the instance. <strong>Solution:</strong> jobs are collected when
 * the registry is first asked, and again when all singletons exist, which is when proxies
 * are examined too. No bean is created for it.
 * <p>
 * <strong>Problem:</strong> one mistake at a time is one restart at a time.
 * <strong>Solution:</strong> every check adds to a list of problems, thrown as one
 * {@link io.github.steadyjobs.definition.JobDefinitionException}.
 * <p>
 * <strong>Problem:</strong> the method of an ordered job may take a list of payloads that
 * are enqueued one by one. <strong>Solution:</strong> everything but the call deals with
 * one payload: arguments, their types, their signature, lookup by type and the method for
 * exhausted retries.
 */
@NullMarked
package io.github.steadyjobs.definition;

import org.jspecify.annotations.NullMarked;
