/**
 * Checks all data of a deployment, and repairs what is wrong. The entry point is
 * {@link io.github.steadyjobs.audit.JobAudit}.
 * <p>
 * <strong>Problem:</strong> jobs move while an audit looks, so what it has read is out of
 * date when it reads on, and comparing two readings accuses healthy jobs.
 * <strong>Solution:</strong> a page of ids and the places of each are read by one script.
 * Only a comparison of two readings can show that an id is in no list, or in one twice.
 * That makes it a candidate, and a script that searches the lists for it decides.
 * <p>
 * <strong>Problem:</strong> a list of a million ids is read in pages, while one end of it
 * grows and the other is taken away. <strong>Solution:</strong> pages go towards the end
 * where jobs are taken and are counted from there: an id that stays in the list may be
 * met twice, but not missed, and reading ends however fast the list grows.
 */
@NullMarked
package io.github.steadyjobs.audit;

import org.jspecify.annotations.NullMarked;
