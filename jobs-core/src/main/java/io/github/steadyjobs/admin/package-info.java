/**
 * Looking at a deployment as a whole, and putting right what is wrong. The entry point is
 * {@link io.github.steadyjobs.admin.JobAudit}.
 * <p>
 * <strong>Problem:</strong> jobs move while an audit looks, so what it has read is out of
 * date when it reads on, and comparing two readings accuses healthy jobs.
 * <strong>Solution:</strong> a page of ids and the places of each are read by one script.
 * What only two readings could tell, that an id is in no list or in one twice, makes it a
 * candidate, and a script that searches the lists for it decides.
 * <p>
 * <strong>Problem:</strong> a list of a million ids is read in windows, and would be read
 * with gaps if what is taken from one end moved the rest. <strong>Solution:</strong> jobs
 * are taken from the right, so windows are counted from the left: an id that stays in the
 * list may be seen twice, but not missed.
 */
@NullMarked
package io.github.steadyjobs.admin;

import org.jspecify.annotations.NullMarked;
