package io.github.steadyjobs.benchmarks;

import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.Base64;
import java.util.List;
import java.util.zip.DataFormatException;

import org.HdrHistogram.Histogram;

/**
 * The figures that a process has recorded about its tasks. All times are in microseconds.
 *
 * @param ended number of runs that have ended
 * @param first when the first run began, since the epoch
 * @param last when the last run ended, since the epoch
 * @param worked total duration of all runs
 * @param fromClaim time from the claim, by the clock of Redis and in steps of a
 * millisecond, to the first line of the job
 * @param fromEnqueue time from just before the job was enqueued to its first line
 * @param longestOutsidePauses the longest wait after a claim that is not explained by a
 * pause of the process; 0 if it is less than 10 ms
 */
record TaskFigures(long ended, long first, long last, long worked, Histogram fromClaim, Histogram fromEnqueue,
		long longestOutsidePauses) {

	/**
	 * Return these figures as text, which another process can read with {@link #parse}.
	 */
	String text() {
		return "%d %d %d %d %s %s %d".formatted(this.ended, this.first, this.last, this.worked, text(this.fromClaim),
				text(this.fromEnqueue), this.longestOutsidePauses);
	}

	private static String text(Histogram histogram) {
		ByteBuffer bytes = ByteBuffer.allocate(histogram.getNeededByteBufferCapacity());
		int length = histogram.encodeIntoCompressedByteBuffer(bytes);
		return Base64.getEncoder().encodeToString(Arrays.copyOf(bytes.array(), length));
	}

	static TaskFigures parse(String text) {
		String[] parts = text.split(" ");
		return new TaskFigures(Long.parseLong(parts[0]), Long.parseLong(parts[1]), Long.parseLong(parts[2]),
				Long.parseLong(parts[3]), histogram(parts[4]), histogram(parts[5]), Long.parseLong(parts[6]));
	}

	private static Histogram histogram(String text) {
		try {
			Histogram histogram = Histogram
				.decodeFromCompressedByteBuffer(ByteBuffer.wrap(Base64.getDecoder().decode(text)), 0);
			histogram.setAutoResize(true);
			return histogram;
		}
		catch (DataFormatException ex) {
			throw new IllegalArgumentException("No histogram", ex);
		}
	}

	static TaskFigures sum(List<TaskFigures> all) {
		return all.stream().reduce(TaskFigures::plus).orElseThrow();
	}

	private TaskFigures plus(TaskFigures other) {
		Histogram claims = this.fromClaim.copy();
		claims.add(other.fromClaim);
		Histogram enqueues = this.fromEnqueue.copy();
		enqueues.add(other.fromEnqueue);
		return new TaskFigures(this.ended + other.ended, Math.min(this.first, other.first),
				Math.max(this.last, other.last), this.worked + other.worked, claims, enqueues,
				Math.max(this.longestOutsidePauses, other.longestOutsidePauses));
	}

	double seconds() {
		return Math.max(1, this.last - this.first) / 1e6;
	}

	long perSecond() {
		return Math.round(this.ended / seconds());
	}

	/**
	 * Return a quantile in milliseconds, to two decimal places.
	 */
	static double milliseconds(Histogram histogram, double percentile) {
		return milliseconds(histogram.getValueAtPercentile(percentile));
	}

	static double milliseconds(long micros) {
		return Math.round(micros / 10.0) / 100.0;
	}

}
