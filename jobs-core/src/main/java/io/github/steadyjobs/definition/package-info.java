/**
 * From annotations to definitions: which jobs this application has, and how they are
 * called.
 * <p>
 * Start with {@link io.github.steadyjobs.definition.JobCollector}, whose
 * {@link io.github.steadyjobs.definition.JobRegistry} finds a
 * {@link io.github.steadyjobs.definition.JobDefinition} by name, by argument or by call.
 * <p>
 * Imports {@code arguments}, {@code idempotence} and the root package. Client and workers
 * ask it for jobs, and it knows neither of them.
 * <p>
 * <strong>Problem:</strong> the registry is needed before all beans exist, and some types
 * are known only from the instance. <strong>Solution:</strong> jobs are collected when
 * the registry is first asked, and again when all singletons exist, which is when proxies
 * are looked at too. No bean is created for it.
 * <p>
 * <strong>Problem:</strong> one mistake at a time is one restart at a time.
 * <strong>Solution:</strong> every check adds to a list of problems, thrown as one
 * {@link io.github.steadyjobs.definition.JobDefinitionException}.
 */
@NullMarked
package io.github.steadyjobs.definition;

import org.jspecify.annotations.NullMarked;
