package io.github.steadyjobs.server;

import java.util.Arrays;
import java.util.List;

/**
 * Shares out room among queues, and then the room of each queue among its parts.
 */
final class PartOrder implements QueueOrder {

	private final QueueOrder queues;

	private final List<QueueOrder> parts;

	private final int[] sizes;

	/**
	 * Create the order.
	 * @param queues the order among the queues
	 * @param parts the order among the parts of each queue
	 * @param sizes the number of parts of each queue
	 */
	PartOrder(QueueOrder queues, List<QueueOrder> parts, int[] sizes) {
		this.queues = queues;
		this.parts = parts;
		this.sizes = sizes;
	}

	@Override
	public void share(int room, boolean[] among, int[] shares) {
		boolean[] amongQueues = new boolean[this.sizes.length];
		for (int queue = 0, part = 0; queue < this.sizes.length; queue++) {
			for (int end = part + this.sizes[queue]; part < end; part++) {
				amongQueues[queue] |= among[part];
			}
		}
		int[] sharesOfQueues = new int[this.sizes.length];
		this.queues.share(room, amongQueues, sharesOfQueues);
		for (int queue = 0, first = 0; queue < this.sizes.length; first += this.sizes[queue++]) {
			if (sharesOfQueues[queue] > 0) {
				int[] sharesOfParts = new int[this.sizes[queue]];
				this.parts.get(queue)
					.share(sharesOfQueues[queue], Arrays.copyOfRange(among, first, first + this.sizes[queue]),
							sharesOfParts);
				for (int i = 0; i < sharesOfParts.length; i++) {
					shares[first + i] += sharesOfParts[i];
				}
			}
		}
	}

}
