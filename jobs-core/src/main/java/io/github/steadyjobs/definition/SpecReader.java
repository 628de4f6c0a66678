package io.github.steadyjobs.definition;

import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Set;

import io.github.steadyjobs.Job;
import io.github.steadyjobs.JobType;
import io.github.steadyjobs.Names;
import io.github.steadyjobs.arguments.BeanMethod;
import org.jspecify.annotations.Nullable;

/**
 * Reads annotations: resolves placeholders, lets configuration override, and checks what
 * comes out.
 */
final class SpecReader {

	private final Resolver placeholders;

	private final Map<String, JobSettings> settings;

	SpecReader(Resolver placeholders, Map<String, JobSettings> settings) {
		this.placeholders = placeholders;
		this.settings = Map.copyOf(settings);
	}

	Set<String> configuredNames() {
		return this.settings.keySet();
	}

	/**
	 * Return what configuration says about a job.
	 * @param name the name of the job
	 * @return what it says, possibly nothing
	 */
	JobSettings settings(String name) {
		return this.settings.getOrDefault(name, JobSettings.NONE);
	}

	/**
	 * Read the annotation of a method.
	 * @param method the method
	 * @param problems takes what is wrong
	 * @return what was read; not to be used if there are problems
	 */
	JobSpec read(JobMethod method, Problems problems) {
		Job job = method.annotation();
		Reading reading = new Reading(method.toString(), problems);
		String name = job.name().isEmpty() ? method.defaultName() : reading.resolve(job.name());
		reading.checkName(name);
		Set<String> aliases = new LinkedHashSet<>();
		for (String alias : job.aliases()) {
			String resolved = reading.resolve(alias);
			reading.checkName(resolved);
			aliases.add(resolved);
		}
		aliases.remove(name);
		return reading.spec(name, Set.copyOf(aliases), job.queue(), job.retries(), job.dead());
	}

	/**
	 * Read the annotation of an argument's type.
	 * @param type the type
	 * @param annotation its annotation
	 * @param problems takes what is wrong
	 * @return what was read; not to be used if there are problems
	 */
	JobSpec read(Class<?> type, JobType annotation, Problems problems) {
		Reading reading = new Reading(type.getName(), problems);
		String name = reading.resolve(annotation.value());
		reading.checkName(name);
		return reading.spec(name, Set.of(), annotation.queue(), Job.DEFAULT_RETRIES, true);
	}

	/**
	 * Resolve placeholders in an attribute of an annotation.
	 * @param method the method with the annotation
	 * @param value the attribute
	 * @param problems takes what is wrong
	 * @return what was resolved; not to be used if there are problems
	 */
	String resolve(BeanMethod method, String value, Problems problems) {
		return new Reading(method.toString(), problems).resolve(value);
	}

	/**
	 * Resolves placeholders, and throws {@link IllegalArgumentException} where it cannot.
	 */
	@FunctionalInterface
	interface Resolver {

		@Nullable String resolve(String value);

	}

	/**
	 * The reading of one annotation.
	 */
	private final class Reading {

		private final String place;

		private final Problems problems;

		Reading(String place, Problems problems) {
			this.place = place;
			this.problems = problems;
		}

		String resolve(String value) {
			try {
				String resolved = SpecReader.this.placeholders.resolve(value);
				if (resolved != null && !resolved.contains("${")) {
					return resolved;
				}
			}
			catch (IllegalArgumentException ex) {
				// Reported below, like one that the resolver has left as it is.
			}
			this.problems.add(
					"The annotation of %s has the placeholder '%s', which nothing sets.".formatted(this.place, value),
					"Set the property, or give the placeholder a default: ${some.property:value}.");
			return value;
		}

		void checkName(String name) {
			if (!Names.isJobName(name) && !name.contains("${")) {
				this.problems.add("%s has the job name '%s'.".formatted(this.place, name),
						"Set a name of %s, as in @Job(name = \"invoice.send\").".formatted(Names.JOB_RULE));
			}
		}

		JobSpec spec(String name, Set<String> aliases, String queue, int retries, boolean dead) {
			JobSettings override = settings(name);
			String chosen = (override.queue() != null) ? override.queue() : resolve(queue);
			if (!Names.isName(chosen) && !chosen.contains("${")) {
				this.problems.add("Job '%s' (%s) has the queue '%s'.".formatted(name, this.place, chosen),
						"Use %s as the name of the queue.".formatted(Names.RULE));
			}
			int limit = (override.retries() != null) ? override.retries() : retries;
			if (limit < Job.DEFAULT_RETRIES) {
				this.problems.add("Job '%s' (%s) has %d retries.".formatted(name, this.place, limit),
						"Use 0 for none, or leave it out for the default.");
			}
			return new JobSpec(name, aliases, chosen, limit, (override.dead() != null) ? override.dead() : dead,
					!Boolean.FALSE.equals(override.deduplicate()));
		}

	}

	/**
	 * What annotation and configuration say about a job, with placeholders resolved.
	 *
	 * @param name the name
	 * @param aliases the former names
	 * @param queue the queue
	 * @param retries the retries, or {@link io.github.steadyjobs.Job#DEFAULT_RETRIES}
	 * @param dead whether the job is kept when it is dead
	 * @param deduplicate whether equal ones of the job may be dropped
	 */
	record JobSpec(String name, Set<String> aliases, String queue, int retries, boolean dead, boolean deduplicate) {

	}

}
