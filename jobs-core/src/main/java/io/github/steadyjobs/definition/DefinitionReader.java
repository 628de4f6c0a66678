package io.github.steadyjobs.definition;

import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

import io.github.steadyjobs.Idempotent;
import io.github.steadyjobs.Job;
import io.github.steadyjobs.JobType;
import io.github.steadyjobs.Sequential;
import io.github.steadyjobs.arguments.BeanMethod;
import io.github.steadyjobs.arguments.JobParameters;
import io.github.steadyjobs.definition.JobReading.Sources;
import io.github.steadyjobs.idempotence.IdempotenceReader;
import io.github.steadyjobs.idempotence.JobIdempotence;
import io.github.steadyjobs.idempotence.JobIdempotence.Declaration;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import tools.jackson.databind.json.JsonMapper;

import org.springframework.core.annotation.MergedAnnotation;

/**
 * Makes definitions out of annotations: resolves placeholders, lets configuration
 * override, and checks the result.
 */
final class DefinitionReader {

	private static final Logger logger = LoggerFactory.getLogger(DefinitionReader.class);

	private final Sources sources;

	private final IdempotenceReader idempotence;

	private final JsonMapper mapper;

	DefinitionReader(Sources sources, IdempotenceReader idempotence, JsonMapper mapper) {
		this.sources = sources;
		this.idempotence = idempotence;
		this.mapper = mapper;
	}

	/**
	 * Read the annotations of a method.
	 * @return the definition; not to be used if there are problems
	 */
	JobDefinition read(BeanMethod<Job> method, @Nullable BeanCall bean, Problems problems) {
		Job annotated = method.annotation();
		JobReading reading = new JobReading(this.sources, method.toString(),
				annotated.name().isEmpty() ? JobMethods.defaultName(method) : annotated.name(), problems);
		String name = reading.name();
		Set<String> aliases = new LinkedHashSet<>();
		for (String alias : annotated.aliases()) {
			aliases.add(reading.name(alias));
		}
		aliases.remove(name);
		JobSettings settings = reading.settings();
		Job job = settings.over(annotated);
		SequenceReader order = new SequenceReader(method, reading);
		MethodRules.check(method, problems);
		JobParameters parameters = JobParameters.of(method, order.payload(), this.mapper,
				(found, advice) -> problems.add("Job '%s' (%s): %s".formatted(name, method, found), advice));
		JobIdempotence idempotence = this.idempotence.read(method, name, settings::over, reading::resolve,
				problems::add);
		boolean idempotent = idempotence.declaration() == Declaration.IDEMPOTENT;
		Sequence sequence = order.read(idempotent);
		reading.checkNeeded(Idempotent.class, idempotent);
		reading.checkNeeded(Sequential.class, order.isOrdered());
		Integer retries = order.retries(reading.number(JobOption.RETRIES, annotated.retries()));
		if (settings.sets(JobOption.RETRIES)) {
			retries = reading.number(JobOption.RETRIES, job.retries());
		}
		JobSpec spec = spec(reading, Set.copyOf(aliases), reading.queue(order.queue(job.queue())),
				reading.retry(job, retries, order.isOrdered()), reading.tags(job), sequence);
		return new JobDefinition(spec, idempotence, parameters, method, bean);
	}

	/**
	 * Read the annotation of an argument's type, for a job whose bean is elsewhere.
	 * @throws io.github.steadyjobs.InvalidJobException if the annotation is wrong
	 */
	JobDefinition read(Class<?> type, JobType annotation) {
		Problems problems = new Problems();
		JobReading reading = new JobReading(this.sources, type.getName(), annotation.value(), problems);
		String name = reading.name();
		JobSettings settings = reading.settings();
		Job job = settings.over(MergedAnnotation.of(Job.class).synthesize());
		JobSpec spec = spec(reading, Set.of(),
				reading.queue(settings.sets(JobOption.QUEUE) ? job.queue() : annotation.queue()),
				reading.retry(job, reading.number(JobOption.RETRIES, job.retries()), false), reading.tags(job), null);
		problems.throwInvalidJobIfAny();
		if (!settings.replacing(Idempotent.class).isEmpty()) {
			// No mistake where applications share their configuration.
			logger.warn("Configuration says what to do with duplicates of job '{}', which is not @Idempotent here, "
					+ "because its method is elsewhere. To deduplicate it all the same, enqueue it with "
					+ "JobRequest.idempotent(…)", name);
		}
		return new JobDefinition(spec, JobIdempotence.UNDECLARED, JobParameters.untyped(this.mapper), null, null);
	}

	private static JobSpec spec(JobReading reading, Set<String> aliases, String queue, RetryRules retry,
			List<String> tags, @Nullable Sequence sequence) {
		return new JobSpec(reading.name(), aliases, queue, retry, tags,
				!Boolean.FALSE.equals(reading.settings().get(JobOption.DEDUPLICATE, Boolean.class)), sequence);
	}

	/**
	 * What annotation and configuration say about a job, with placeholders resolved.
	 *
	 * @param sequence how its payloads keep their order, or {@code null} if they do not
	 */
	record JobSpec(String name, Set<String> aliases, String queue, RetryRules retry, List<String> tags,
			boolean deduplicate, @Nullable Sequence sequence) {

	}

}
