package io.github.steadyjobs.samples.orders;

/**
 * What another system says about an order.
 *
 * @param stream the stream that the update belongs to
 * @param order the order
 * @param version its version after the update, 1 for the first
 */
record OrderUpdate(long stream, int order, int version) {

}
