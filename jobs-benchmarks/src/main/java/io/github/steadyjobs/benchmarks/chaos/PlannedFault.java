package io.github.steadyjobs.benchmarks.chaos;

/**
 * A fault and when to inject it.
 *
 * @param at milliseconds after the start
 * @param fault what to do
 * @param target number of the worker, or the number of workers for the producer; without
 * meaning if a fault hits all
 * @param length milliseconds that it lasts
 * @param cut how connections break, without meaning for other faults
 */
record PlannedFault(long at, Fault fault, int target, long length, Cut cut) {

}
