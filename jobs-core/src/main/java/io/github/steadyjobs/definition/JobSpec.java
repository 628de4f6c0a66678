package io.github.steadyjobs.definition;

import java.util.Set;

/**
 * What annotation and configuration say about a job, with placeholders resolved.
 *
 * @param name the name
 * @param aliases the former names
 * @param queue the queue
 * @param retries the retries, or {@link io.github.steadyjobs.Job#DEFAULT_RETRIES}
 * @param dead whether the job is kept when it is dead
 * @param deduplicate whether equal ones of the job may be dropped
 */
record JobSpec(String name, Set<String> aliases, String queue, int retries, boolean dead, boolean deduplicate) {

}
