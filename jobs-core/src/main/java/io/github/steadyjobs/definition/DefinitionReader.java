package io.github.steadyjobs.definition;

import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Set;

import io.github.steadyjobs.Job;
import io.github.steadyjobs.JobType;
import io.github.steadyjobs.Names;
import io.github.steadyjobs.arguments.BeanMethod;
import io.github.steadyjobs.arguments.JobParameters;
import io.github.steadyjobs.idempotence.IdempotenceReader;
import io.github.steadyjobs.idempotence.JobIdempotence;
import io.github.steadyjobs.idempotence.JobIdempotence.Declaration;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.json.JsonMapper;

import org.springframework.core.annotation.MergedAnnotation;

/**
 * Makes definitions out of annotations: resolves placeholders, lets configuration
 * override, and checks the result.
 */
final class DefinitionReader {

	private final Resolver placeholders;

	private final Map<String, JobSettings> settings;

	private final IdempotenceReader idempotence;

	private final Backoffs backoffs;

	private final JsonMapper mapper;

	private final JobParameters untyped;

	DefinitionReader(Resolver placeholders, Map<String, JobSettings> settings, IdempotenceReader idempotence,
			Backoffs backoffs, JsonMapper mapper) {
		this.placeholders = placeholders;
		this.settings = Map.copyOf(settings);
		this.idempotence = idempotence;
		this.backoffs = backoffs;
		this.mapper = mapper;
		this.untyped = JobParameters.untyped(mapper);
	}

	Set<String> configuredNames() {
		return this.settings.keySet();
	}

	/**
	 * Return the parameters of a job whose method is not known here.
	 */
	JobParameters untyped() {
		return this.untyped;
	}

	/**
	 * Read the annotations of a method.
	 * @return the definition; not to be used if there are problems
	 */
	JobDefinition read(BeanMethod<Job> method, @Nullable BeanCall bean, Problems problems) {
		Job job = method.annotation();
		Reading reading = new Reading(method.toString(), problems);
		String name = reading.name(job.name().isEmpty() ? JobMethods.defaultName(method) : job.name());
		Set<String> aliases = new LinkedHashSet<>();
		for (String alias : job.aliases()) {
			aliases.add(reading.name(alias));
		}
		aliases.remove(name);
		SequenceReader order = new SequenceReader(method, name, reading::resolve, problems);
		MethodRules.check(method, problems);
		JobParameters parameters = JobParameters.of(method, order.payload(), this.mapper,
				(found, advice) -> problems.add("Job '%s' (%s): %s".formatted(name, method, found), advice));
		JobIdempotence idempotence = this.idempotence.read(method, name, settings(name).idempotence(), reading::resolve,
				problems::add);
		Sequence sequence = order.read(settings(name), idempotence.declaration() == Declaration.IDEMPOTENT);
		OptionsReader options = reading.options(name, job);
		JobSpec spec = reading.spec(name, Set.copyOf(aliases), order.queue(job.queue(), settings(name).queue()),
				options.retry(order.retries(options.annotatedRetries()), order.isOrdered()),
				options.run(order.isOrdered()), sequence);
		return new JobDefinition(spec, idempotence, parameters, method, bean);
	}

	/**
	 * Read the annotation of an argument's type, for a job whose bean is elsewhere.
	 * @throws io.github.steadyjobs.InvalidJobException if the annotation is wrong
	 */
	JobDefinition read(Class<?> type, JobType annotation) {
		Problems problems = new Problems();
		Reading reading = new Reading(type.getName(), problems);
		String name = reading.name(annotation.value());
		OptionsReader options = reading.options(name, MergedAnnotation.of(Job.class).synthesize());
		JobSpec spec = reading.spec(name, Set.of(), annotation.queue(), options.retry(null, false), options.run(false),
				null);
		problems.throwInvalidJobIfAny();
		JobIdempotence idempotence = this.idempotence.readElsewhere(name, settings(name).idempotence());
		return new JobDefinition(spec, idempotence, this.untyped, null, null);
	}

	/**
	 * Resolve placeholders in an attribute of an annotation.
	 * @return what was resolved; not to be used if there are problems
	 */
	String resolve(BeanMethod<?> method, String value, Problems problems) {
		return new Reading(method.toString(), problems).resolve(value);
	}

	private JobSettings settings(String name) {
		return this.settings.getOrDefault(name, JobSettings.NONE);
	}

	/**
	 * Resolves placeholders, and throws {@link IllegalArgumentException} where it cannot.
	 */
	@FunctionalInterface
	interface Resolver {

		@Nullable String resolve(String value);

	}

	private final class Reading {

		private final String place;

		private final Problems problems;

		Reading(String place, Problems problems) {
			this.place = place;
			this.problems = problems;
		}

		String resolve(String value) {
			try {
				String resolved = DefinitionReader.this.placeholders.resolve(value);
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

		String name(String annotated) {
			String name = resolve(annotated);
			if (!Names.isJobName(name) && !name.contains("${")) {
				this.problems.add("%s has the job name '%s'.".formatted(this.place, name),
						"Set a name of %s, as in @Job(name = \"invoice.send\").".formatted(Names.JOB_RULE));
			}
			return name;
		}

		OptionsReader options(String name, Job job) {
			return new OptionsReader(job, "Job '%s' (%s)".formatted(name, this.place), settings(name), this::resolve,
					DefinitionReader.this.backoffs, this.problems);
		}

		JobSpec spec(String name, Set<String> aliases, String queue, RetryRules retry, RunRules run,
				@Nullable Sequence sequence) {
			JobSettings override = settings(name);
			String chosen = (override.queue() != null) ? override.queue() : resolve(queue);
			if (!Names.isName(chosen) && !chosen.contains("${")) {
				this.problems.add("Job '%s' (%s) has the queue '%s'.".formatted(name, this.place, chosen),
						"Use %s as the name of the queue.".formatted(Names.RULE));
			}
			return new JobSpec(name, aliases, chosen, retry, run, !Boolean.FALSE.equals(override.deduplicate()),
					sequence);
		}

	}

	/**
	 * What annotation and configuration say about a job, with placeholders resolved.
	 *
	 * @param sequence how its payloads keep their order, or {@code null} if they do not
	 */
	record JobSpec(String name, Set<String> aliases, String queue, RetryRules retry, RunRules run, boolean deduplicate,
			@Nullable Sequence sequence) {

	}

}
