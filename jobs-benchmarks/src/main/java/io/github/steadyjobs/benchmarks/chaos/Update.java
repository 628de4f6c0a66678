package io.github.steadyjobs.benchmarks.chaos;

/**
 * Identifies a payload of an ordered job.
 *
 * @param key the object that has changed
 * @param version the number of the change, starting at 1; also the score of the payload
 */
record Update(String key, int version) {

}
