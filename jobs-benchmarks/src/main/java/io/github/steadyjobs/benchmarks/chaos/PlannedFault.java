package io.github.steadyjobs.benchmarks.chaos;

/**
 * A fault, with the time at which to inject it.
 *
 * @param at milliseconds after the start
 * @param fault the kind of fault
 * @param target slot number of the worker, where the number of workers stands for the
 * producer; for a fault of a server, a number that selects one of its queues; ignored if
 * a fault hits all processes
 * @param length duration in milliseconds
 * @param cut how connections break; ignored for other faults
 */
record PlannedFault(long at, Fault fault, int target, long length, Cut cut) {

}
