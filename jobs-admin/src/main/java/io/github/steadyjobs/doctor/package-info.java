/**
 * Examines the Redis that stores jobs, at start-up and whenever health is requested.
 * {@link io.github.steadyjobs.doctor.Doctor} examines,
 * {@link io.github.steadyjobs.doctor.Examinations} is the lifecycle around it.
 * <p>
 * <strong>Problem:</strong> the settings that lose jobs are read with {@code CONFIG},
 * which a user with minimal permissions may not call. <strong>Solution:</strong> facts
 * about Redis come from {@code INFO} and {@code TIME} alone. Permissions are not
 * examined, because Redis shows them only to an administrator; the error of a refused
 * call contains the rule that jobs need.
 * <p>
 * <strong>Problem:</strong> an application has to start while Redis is unavailable, and
 * quickly while Redis is slow. <strong>Solution:</strong> the first examination runs on a
 * separate thread, which tries until Redis answers. Only an application that is
 * configured not to start with a finding waits for it.
 * <p>
 * <strong>Problem:</strong> a busy start makes every answer slow, and the doctor would
 * warn about a Redis that is next door. <strong>Solution:</strong> round trips are
 * measured when the application is ready.
 * <p>
 * <strong>Problem:</strong> workers notice lost data with the answers to their claims,
 * but an application that only enqueues makes no claims. <strong>Solution:</strong> there
 * the same thread reads epoch and sequence of all queues once a minute.
 */
@NullMarked
package io.github.steadyjobs.doctor;

import org.jspecify.annotations.NullMarked;
