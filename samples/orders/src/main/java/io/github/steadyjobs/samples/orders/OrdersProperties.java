package io.github.steadyjobs.samples.orders;

import java.time.Duration;

import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * Configuration properties of the shop.
 *
 * @param stream Whether to send a stream of updates when the application starts.
 * @param orders Number of orders.
 * @param versions Number of updates for each order.
 * @param pause Time between two bursts of updates.
 * @param work Maximum time that it takes to apply an update.
 * @param failures Fraction of the runs of an update that fail, from 0 to 1.
 */
@ConfigurationProperties("orders")
record OrdersProperties(@DefaultValue("true") boolean stream, @DefaultValue("50") int orders,
		@DefaultValue("40") int versions, @DefaultValue("400ms") Duration pause, @DefaultValue("20ms") Duration work,
		@DefaultValue("0.1") double failures) {

}
