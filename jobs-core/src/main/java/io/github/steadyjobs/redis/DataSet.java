package io.github.steadyjobs.redis;

/**
 * What tells the data set of a queue from an older or an empty one.
 *
 * @param epoch a name that it was given when the queue was made
 * @param seq the number of its changes, greater than any of a data set before it
 */
public record DataSet(String epoch, long seq) {

}
