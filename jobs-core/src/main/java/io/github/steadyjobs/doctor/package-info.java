/**
 * Examines the Redis that jobs are stored in: at start-up and whenever health is asked
 * for. {@link io.github.steadyjobs.doctor.Doctor} examines,
 * {@link io.github.steadyjobs.doctor.Examinations} is the lifecycle around it.
 * <p>
 * <strong>Problem:</strong> the settings that lose jobs are read with {@code CONFIG} and
 * the permissions of a user with {@code ACL}, and neither is allowed to a user who has
 * just what it needs. <strong>Solution:</strong> facts come from {@code INFO} and
 * {@code TIME} alone. Permissions are found out by calling every command in a way in
 * which Redis refuses it, for which it looks at permissions first.
 * <p>
 * <strong>Problem:</strong> an application has to start while Redis is away, and quickly
 * while Redis is slow. <strong>Solution:</strong> the first examination has a thread of
 * its own, which tries until Redis answers. Only an application that lets a finding
 * refuse its start waits for it.
 * <p>
 * <strong>Problem:</strong> a busy start makes every answer slow, and the doctor warned
 * of a Redis that was next door. <strong>Solution:</strong> round trips are measured when
 * the application is ready.
 * <p>
 * <strong>Problem:</strong> workers notice lost data with the answers to their claims,
 * and an application that only enqueues has no claims. <strong>Solution:</strong> there
 * the same thread reads epoch and sequence of all queues once a minute.
 */
@NullMarked
package io.github.steadyjobs.doctor;

import org.jspecify.annotations.NullMarked;
