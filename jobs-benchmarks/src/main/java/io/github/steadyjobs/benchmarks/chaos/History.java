package io.github.steadyjobs.benchmarks.chaos;

import java.util.List;

/**
 * What was accepted, what ran, what was done to workers, and where jobs are in the end.
 *
 * @param pushes one for each job
 * @param runs all runs of all jobs
 * @param incidents what was done to whom
 * @param places where jobs are in the end
 */
record History(List<Push> pushes, List<Run> runs, List<Incident> incidents, Places places) {

}
