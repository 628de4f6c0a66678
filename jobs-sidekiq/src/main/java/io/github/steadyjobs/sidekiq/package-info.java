/**
 * A bridge to the lists of a real Sidekiq: jobs that a Ruby process enqueues run here,
 * and {@link io.github.steadyjobs.sidekiq.SidekiqClient} enqueues jobs for a Ruby
 * process.
 * <p>
 * <strong>Problem:</strong> a job has to leave Sidekiq's Redis and enter ours, which may
 * be another server, and a crash in between must neither lose nor duplicate it.
 * <strong>Solution:</strong> one script takes elements out of Sidekiq's lists into a
 * numbered batch next to them. The jobs of the batch are stored here in a call that has
 * the name of the bridge and the number of the batch, so that it may be repeated. Only
 * the script that begins the next batch ends this one. Any bridge that notices that a
 * batch no longer changes moves it. If the first bridge was only slow, both make the same
 * calls, and each call is carried out once.
 * <p>
 * <strong>Problem:</strong> two bridges with different configurations would make
 * different calls under the same number, and the second call would count as a copy.
 * <strong>Solution:</strong> the name of the caller ends with a digest of the settings
 * that decide where jobs go. So such a takeover may store a job twice, but loses none.
 * <p>
 * <strong>Problem:</strong> the number of a call is remembered for an hour, but a batch
 * may be left for longer. If the call were carried out again, it would store the ids of
 * jobs that still exist. <strong>Solution:</strong> after fifty minutes the call has
 * another name, and its jobs have other ids.
 */
@NullMarked
package io.github.steadyjobs.sidekiq;

import org.jspecify.annotations.NullMarked;
