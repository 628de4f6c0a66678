/**
 * Examines the Redis that stores jobs, at start-up and whenever health is requested.
 * {@link io.github.steadyjobs.doctor.Doctor} examines Redis, and
 * {@link io.github.steadyjobs.doctor.Examinations} decides when.
 * <p>
 * <strong>Problem:</strong> the settings that can lose jobs are read with {@code CONFIG},
 * which a Redis user with minimal permissions may not call. <strong>Solution:</strong>
 * facts about Redis come from {@code INFO} and {@code TIME} alone. Permissions are not
 * examined, because Redis shows them only to administrators; the error of a refused call
 * names the permissions that jobs need.
 * <p>
 * <strong>Problem:</strong> an application has to start while Redis is unavailable, and
 * quickly while Redis is slow. <strong>Solution:</strong> the first examination runs on a
 * separate thread, which keeps trying until Redis answers. An application waits for this
 * examination only if it is configured not to start when there is a finding.
 * <p>
 * <strong>Problem:</strong> the machine is busy during start-up, so every answer is slow,
 * and the doctor would give a warning even about a nearby Redis.
 * <strong>Solution:</strong> slow answers are reported only after the application is
 * ready, unless they prevent the start.
 * <p>
 * <strong>Problem:</strong> workers learn of lost data from the answers to their claims,
 * but an application that only enqueues jobs makes no claims. <strong>Solution:</strong>
 * in such an application, the same thread reads the epoch and the sequence of every queue
 * once a minute.
 */
@NullMarked
package io.github.steadyjobs.doctor;

import org.jspecify.annotations.NullMarked;
