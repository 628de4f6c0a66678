package io.github.steadyjobs.benchmarks.chaos;

/**
 * A fault, with the time at which to inject it.
 *
 * @param at milliseconds after the start
 * @param fault the kind of fault
 * @param target slot number of the worker, or the number of workers to hit the producer;
 * selects a queue to hit a server; ignored to hit all processes
 * @param length duration in milliseconds
 * @param cut how connections break; ignored for other faults
 */
record PlannedFault(long at, Fault fault, int target, long length, Cut cut) {

}
