/**
 * A bridge to a real Sidekiq. Jobs that a Ruby process enqueues run here, and
 * {@link io.github.steadyjobs.sidekiq.SidekiqClient} enqueues jobs for a Ruby process.
 * <p>
 * <strong>Problem:</strong> a job has to leave Sidekiq's Redis and enter the Redis of
 * Steady Jobs, which may be another server. A crash in between must neither lose nor
 * duplicate the job. <strong>Solution:</strong> one script takes elements out of
 * Sidekiq's lists into a numbered batch next to them. The jobs of the batch are stored
 * here by a call that is identified by the name of the bridge and the number of the
 * batch, so that the call can be repeated. A batch ends only when the script begins the
 * next batch. If another bridge notices that a batch makes no progress, it moves that
 * batch. If the first bridge was only slow, both bridges make the same calls, and each
 * call is carried out once.
 * <p>
 * <strong>Problem:</strong> two bridges with different configurations would make
 * different calls with the same number, and the second call would count as a repetition
 * of the first. <strong>Solution:</strong> the name of the caller ends with a digest of
 * the settings that decide where jobs go. So such a takeover may store a job twice, but
 * never loses a job.
 * <p>
 * <strong>Problem:</strong> the number of a call is remembered for an hour, but a batch
 * may be left unfinished for longer. If the call were carried out again after that, it
 * would reuse the ids of jobs that still exist. <strong>Solution:</strong> after fifty
 * minutes, the call gets a different name, and its jobs get different ids. A bridge that
 * could store only a part of a batch remembers that part, and does not store it again
 * under the different name.
 */
@NullMarked
package io.github.steadyjobs.sidekiq;

import org.jspecify.annotations.NullMarked;
