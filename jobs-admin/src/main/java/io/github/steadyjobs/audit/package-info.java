/**
 * Checks all data of a deployment and repairs violations. The entry point is
 * {@link io.github.steadyjobs.audit.JobAudit}.
 * <p>
 * <strong>Problem:</strong> jobs move during an audit, so data that was read earlier is
 * out of date, and comparing two readings would report healthy jobs as violations.
 * <strong>Solution:</strong> one script reads a page of ids together with the places of
 * each id. There is one exception: whether an id is in no list, or in a list twice, can
 * be seen only by comparing two readings. Such an id is therefore treated only as a
 * candidate, and a script then searches the lists for it.
 * <p>
 * <strong>Problem:</strong> a list of a million ids is read in pages, while ids are added
 * at one end and taken from the other. <strong>Solution:</strong> pages proceed towards
 * the end from which jobs are taken, and positions are counted from that end. An id that
 * stays in the list may be read twice. The id is missed only if many jobs are put back
 * between two pages, and the search mentioned above then finds it. Reading ends however
 * fast the list grows.
 */
@NullMarked
package io.github.steadyjobs.audit;

import org.jspecify.annotations.NullMarked;
