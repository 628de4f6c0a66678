package io.github.steadyjobs.samples.orders;

/**
 * An update of an order, sent by another system.
 *
 * @param stream the number of the stream that contains the update
 * @param order the number of the order
 * @param version the version of the order after the update, starting from 1
 */
record OrderUpdate(long stream, int order, int version) {

}
