package io.github.steadyjobs.admin;

/**
 * The number of jobs that match a query, as far as they have been counted.
 *
 * @param jobs the number of jobs that were found
 * @param isExact whether these are all matching jobs; if {@code false}, there may be more
 * jobs
 */
public record JobCount(long jobs, boolean isExact) {

}
