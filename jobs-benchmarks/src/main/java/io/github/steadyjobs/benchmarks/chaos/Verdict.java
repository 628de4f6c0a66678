package io.github.steadyjobs.benchmarks.chaos;

/**
 * A summary of a {@link History}.
 *
 * @param accepted number of jobs that were accepted, or that were seen although their
 * push was not confirmed
 * @param executed number of accepted jobs that were completed
 * @param lost number of accepted jobs that were not completed and are nowhere to be found
 * @param forgotten number of missing jobs that do not count as lost, because they were
 * pushed in a period that Redis has forgotten
 * @param stuck number of accepted jobs that are still waiting or running
 * @param dead number of accepted jobs that are dead
 * @param unknown number of pushes without an answer
 * @param duplicates completed runs beyond the first run of each job
 * @param recovery what happened to jobs whose process was killed or paused
 */
record Verdict(int accepted, int executed, int lost, int forgotten, int stuck, int dead, int unknown,
		Duplicates duplicates, Recovery recovery) {

	/**
	 * Completed runs beyond the first run of each job.
	 *
	 * @param fromFaults runs of jobs that a fault has taken from their worker
	 * @param fromPushes runs of jobs whose push was disturbed, and possibly sent again
	 * @param unexplained all other runs
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
	 * @param longest maximum number of milliseconds from the kill to the next run
	 * @param lateEnds number of runs that ended after the job had been started again
	 */
	record Recovery(int jobs, long longest, int lateEnds) {

	}

}
