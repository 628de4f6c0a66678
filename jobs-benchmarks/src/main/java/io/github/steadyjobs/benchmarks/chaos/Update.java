package io.github.steadyjobs.benchmarks.chaos;

/**
 * Which payload of an ordered job an order is.
 *
 * @param key what has changed
 * @param version the number of the change, from 1: also its score
 */
record Update(String key, int version) {

}
