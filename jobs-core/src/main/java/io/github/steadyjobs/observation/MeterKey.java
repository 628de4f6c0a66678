package io.github.steadyjobs.observation;

import org.jspecify.annotations.Nullable;

/**
 * Finds the meter of a job without its registry: looking up a meter by its tags is more
 * expensive than recording a value. The methods that Java generates for a record would be
 * slow until they are compiled, and compilation is expensive.
 *
 * @param value the value of the meter's last tag
 */
record MeterKey(JobMeter meter, String job, String queue, String value) {

	@Override
	public boolean equals(@Nullable Object other) {
		return other instanceof MeterKey that && this.meter == that.meter && this.value.equals(that.value)
				&& this.job.equals(that.job) && this.queue.equals(that.queue);
	}

	@Override
	public int hashCode() {
		return 31 * (31 * this.job.hashCode() + this.queue.hashCode()) + this.value.hashCode();
	}

}
