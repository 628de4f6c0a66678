package io.github.steadyjobs.server;

import java.util.random.RandomGenerator;

/**
 * Draws a queue at random for each job. Probabilities are proportional to the weights.
 */
final class WeightedOrder implements QueueOrder {

	private final int[] weights;

	private final RandomGenerator random;

	WeightedOrder(int[] weights, RandomGenerator random) {
		this.weights = weights;
		this.random = random;
	}

	@Override
	public void share(int room, boolean[] among, int[] shares) {
		int lots = 0;
		for (int i = 0; i < among.length; i++) {
			lots += among[i] ? this.weights[i] : 0;
		}
		int first = QueueOrder.first(among);
		if (lots == this.weights[first]) {
			shares[first] += room;
			return;
		}
		for (int i = 0; i < room; i++) {
			shares[draw(among, lots)]++;
		}
	}

	private int draw(boolean[] among, int lots) {
		int lot = this.random.nextInt(lots);
		int drawn = QueueOrder.first(among);
		while (!among[drawn] || lot >= this.weights[drawn]) {
			lot -= among[drawn] ? this.weights[drawn] : 0;
			drawn++;
		}
		return drawn;
	}

}
