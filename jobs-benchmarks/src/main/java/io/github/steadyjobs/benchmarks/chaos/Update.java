package io.github.steadyjobs.benchmarks.chaos;

/**
 * Which payload of an ordered job an order is.
 *
 * @param key what has changed
 * @param version which change of it this is, from 1: also its score
 */
record Update(String key, int version) {

}
