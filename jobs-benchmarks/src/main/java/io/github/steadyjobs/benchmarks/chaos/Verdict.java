package io.github.steadyjobs.benchmarks.chaos;

/**
 * What a {@link History} amounts to.
 *
 * @param accepted number of jobs that were accepted, or were seen without a confirmation
 * @param executed number of those that ran to their end
 * @param lost number of those that did not and are nowhere
 * @param forgotten number of those that do not count as lost, because they were pushed
 * during the time that Redis forgot
 * @param stuck number of those that are still waiting or running
 * @param dead number of those that failed for good
 * @param unknown number of pushes without an answer
 * @param duplicates further runs to the end
 * @param recovery what happened to jobs whose process was killed or paused
 */
record Verdict(int accepted, int executed, int lost, int forgotten, int stuck, int dead, int unknown,
		Duplicates duplicates, Recovery recovery) {

	/**
	 * Runs to the end beyond the first of each job.
	 *
	 * @param fromFaults those of jobs that a fault has taken from their worker
	 * @param fromPushes those of jobs whose push was disturbed, and maybe sent again
	 * @param unexplained the others
	 */
	record Duplicates(int fromFaults, int fromPushes, int unexplained) {

		Duplicates plus(Duplicates other) {
			return new Duplicates(this.fromFaults + other.fromFaults, this.fromPushes + other.fromPushes,
					this.unexplained + other.unexplained);
		}

		int all() {
			return this.fromFaults + this.fromPushes + this.unexplained;
		}

	}

	/**
	 * Jobs that were taken from the process in which they ran.
	 *
	 * @param jobs number of runs that were started again after their process was killed
	 * @param longest milliseconds from the kill to the next run, at most
	 * @param lateEnds number of runs that ended after the job had been started again
	 */
	record Recovery(int jobs, long longest, int lateEnds) {

	}

}
