package io.github.steadyjobs.server;

import java.util.stream.IntStream;

/**
 * Gives each queue room for one job in turn. A call continues where the previous call
 * stopped.
 */
final class RoundRobinOrder implements QueueOrder {

	private final int[] turns;

	RoundRobinOrder(int queues) {
		this.turns = IntStream.range(0, queues).toArray();
	}

	@Override
	public void share(int room, boolean[] among, int[] shares) {
		for (int i = 0; i < room; i++) {
			int turn = 0;
			while (!among[this.turns[turn]]) {
				turn++;
			}
			int next = this.turns[turn];
			System.arraycopy(this.turns, turn + 1, this.turns, turn, this.turns.length - turn - 1);
			this.turns[this.turns.length - 1] = next;
			shares[next]++;
		}
	}

}
