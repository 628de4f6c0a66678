package io.github.steadyjobs.dashboard;

import java.time.Duration;
import java.util.Arrays;

/**
 * The size of a queue over a short time, drawn as a line without axes.
 */
final class Trend {

	/** Width of each step of the drawing. */
	private static final int WIDTH = 2;

	private static final int HEIGHT = 20;

	/** Number of steps over which the growth is measured, a minute in total. */
	private static final int MEASURED = 4;

	private static final long UNKNOWN = -1;

	private final Duration step;

	private final long[] sizes;

	Trend(Duration step, int steps) {
		this.step = step;
		this.sizes = new long[steps];
		Arrays.fill(this.sizes, UNKNOWN);
	}

	void set(int step, long size) {
		this.sizes[step] = size;
	}

	/** Return how fast the queue grows, in jobs per minute; below 0 if it shrinks. */
	double growth() {
		int last = this.sizes.length - 1;
		for (int first = last - MEASURED; first < last; first++) {
			if (this.sizes[first] != UNKNOWN && this.sizes[last] != UNKNOWN) {
				return (this.sizes[last] - this.sizes[first]) * 60_000.0
						/ this.step.multipliedBy(last - first).toMillis();
			}
		}
		return 0;
	}

	/** Return whether there are enough sizes for a line, not all of them zero. */
	boolean isDrawn() {
		return Arrays.stream(this.sizes).filter((size) -> size != UNKNOWN).count() > MEASURED
				&& Arrays.stream(this.sizes).anyMatch((size) -> size > 0);
	}

	int width() {
		return (this.sizes.length - 1) * WIDTH;
	}

	int height() {
		return HEIGHT;
	}

	/** Return the line as SVG path data, with gaps where no size is known. */
	String path() {
		long top = Math.max(1, Arrays.stream(this.sizes).max().orElse(1));
		StringBuilder path = new StringBuilder();
		boolean isDrawing = false;
		for (int i = 0; i < this.sizes.length; i++) {
			if (this.sizes[i] != UNKNOWN) {
				path.append(isDrawing ? 'L' : 'M')
					.append(i * WIDTH)
					.append(' ')
					.append(HEIGHT - Math.round((double) HEIGHT * this.sizes[i] / top));
				isDrawing = true;
			}
			else {
				isDrawing = false;
			}
		}
		return path.toString();
	}

}
