package io.github.steadyjobs.benchmarks.chaos;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Collection;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;

/**
 * The records of a run of the program: which jobs were accepted, which runs took place,
 * which faults hit workers, and where jobs are at the end.
 *
 * @param pushes how each job was pushed
 * @param runs all runs of all jobs
 * @param incidents which fault hit which process
 * @param places where jobs are at the end
 * @param dead numbers of the dead jobs
 * @param deleted ids of the jobs that were deleted, or may have been deleted, by hand
 */
record History(List<Push> pushes, List<Run> runs, List<Incident> incidents, Places places, Set<Integer> dead,
		Set<String> deleted) {

	/**
	 * Write everything to a file, to help investigate what happened to a job.
	 * @param file the file to create
	 */
	void write(Path file) throws IOException {
		List<String> lines = Stream.of(this.pushes, this.runs, this.incidents, this.places.live(), this.places.dead())
			.flatMap(Collection::stream)
			.map(Object::toString)
			.toList();
		Files.write(file, lines);
	}

}
