package io.github.steadyjobs.definition;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

import io.github.steadyjobs.Idempotent;
import io.github.steadyjobs.Job;
import io.github.steadyjobs.JobLimits;
import io.github.steadyjobs.JobType;
import io.github.steadyjobs.arguments.BeanMethod;
import io.github.steadyjobs.arguments.JobParameters;
import io.github.steadyjobs.definition.JobDefinition.Declaration;
import io.github.steadyjobs.definition.JobDefinition.SecondRun;
import io.github.steadyjobs.definition.JobDefinition.Spec;
import io.github.steadyjobs.definition.RetryRules.FailureTypes;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import tools.jackson.databind.json.JsonMapper;

import org.springframework.core.annotation.MergedAnnotation;

/**
 * Creates definitions from annotations, configuration and defaults, and checks them.
 */
final class DefinitionReader {

	private static final Logger logger = LoggerFactory.getLogger(DefinitionReader.class);

	private final JobBeans beans;

	private final Map<String, JobSettings> settings;

	private final IdempotenceDefaults defaults;

	private final JsonMapper mapper;

	private final BackoffReader backoffs;

	private final CustomStrategies strategies;

	private final JobParameters untyped;

	DefinitionReader(JobBeans beans, Map<String, JobSettings> settings, IdempotenceDefaults defaults,
			JsonMapper mapper) {
		this.beans = beans;
		this.settings = Map.copyOf(settings);
		this.defaults = defaults;
		this.mapper = mapper;
		this.backoffs = new BackoffReader(beans);
		this.strategies = new CustomStrategies(beans);
		this.untyped = JobParameters.untyped(mapper);
	}

	/**
	 * Read the annotations of a method.
	 * @return the definition; must not be used if there are problems
	 */
	JobDefinition read(BeanMethod<Job> method, @Nullable BeanCall bean, Problems problems) {
		Job job = method.annotation();
		JobReading reading = reading(method.toString(),
				job.name().isEmpty() ? JobMethods.defaultName(method) : job.name(), problems);
		SequenceReader order = new SequenceReader(method, reading);
		MethodRules.check(method, problems);
		JobParameters parameters = JobParameters.of(method, order.payload(), this.mapper, reading::report);
		SecondRun secondRun = new IdempotenceReader(method, reading, this.defaults, this.strategies).read(this.untyped);
		Sequence sequence = order.read(secondRun.declaration() == Declaration.IDEMPOTENT);
		List<String> names = Stream.concat(Stream.of(reading.name()), Stream.of(job.aliases()).map(reading::name))
			.distinct()
			.toList();
		Spec spec = new Spec(names, order.queue(job.queue()),
				retry(job, reading, order.retries(job.retries()), order.isOrdered()), tags(job, reading),
				reading.option(JobOption.DEDUPLICATE, true), sequence);
		return new JobDefinition(spec, secondRun, parameters, method, bean, null);
	}

	/**
	 * Read the annotation of an argument's type, for a job whose bean is in another
	 * application.
	 * @throws io.github.steadyjobs.InvalidJobException if the annotation is invalid
	 */
	JobDefinition read(Class<?> type, JobType annotation) {
		return readElsewhere(type.getName(), annotation.value(), annotation.queue());
	}

	/**
	 * Read the configuration of a job whose bean is in another application.
	 * @return the definition, or {@code null} if the job is not configured here
	 * @throws io.github.steadyjobs.InvalidJobException if the configuration is invalid
	 */
	@Nullable JobDefinition readConfigured(String name) {
		return this.settings.containsKey(name) ? readElsewhere("The configuration", name, "default") : null;
	}

	private JobDefinition readElsewhere(String place, String name, String queue) {
		Problems problems = new Problems();
		JobReading reading = reading(place, name, problems);
		Job job = MergedAnnotation.of(Job.class).synthesize();
		Spec spec = new Spec(List.of(reading.name()), reading.queue(queue),
				retry(job, reading, reading.number(JobOption.RETRIES, job.retries()), false), tags(job, reading),
				reading.option(JobOption.DEDUPLICATE, true), null);
		problems.throwInvalidJobIfAny();
		if (!reading.settings().overriding(Idempotent.class).isEmpty()) {
			// This is not an error, because applications may share their configuration.
			logger.warn("Configuration says what to do with duplicates of job '{}', which is not @Idempotent here, "
					+ "because its method is elsewhere. To deduplicate it all the same, enqueue it with "
					+ "JobRequest.idempotent(…)", reading.name());
		}
		return new JobDefinition(spec, SecondRun.UNDECLARED, this.untyped, null, null, null);
	}

	private JobReading reading(String place, String name, Problems problems) {
		return new JobReading(place, name, this.beans::resolve, this.settings, problems);
	}

	private RetryRules retry(Job job, JobReading reading, @Nullable Integer retries, boolean ordered) {
		String queue = reading.text(JobOption.RETRY_QUEUE, job.retryQueue());
		if (ordered && queue != null) {
			reading.report("is @Sequential and has retryQueue = '%s'".formatted(queue),
					"Remove 'retryQueue': an ordered job stays in its queue, with its key.");
		}
		Duration expires = reading.time(JobOption.EXPIRES, job.expires());
		if (ordered && expires != null) {
			reading.report("is @Sequential and expires after %s".formatted(expires),
					"Remove 'expires': payloads of a key are merged into one job, which cannot be too late for some of them.");
		}
		FailureTypes types = new FailureTypes(List.of(job.includes()), List.of(job.excludes()),
				List.of(job.discards()));
		types.discards()
			.stream()
			.filter((type) -> types.includes().contains(type) || types.excludes().contains(type))
			.forEach(
					(type) -> reading.report(
							"has %s among its discards and among its %s".formatted(type.getName(),
									types.excludes().contains(type) ? "excludes" : "includes"),
							"Remove it from one of them."));
		JobLimits limits = new JobLimits(reading.time(JobOption.RETRY_FOR, job.retryFor()), queue,
				reading.number(JobOption.BACKTRACE, job.backtrace()), expires, null,
				reading.time(JobOption.TIMEOUT, job.timeout()));
		// Pushes recognise NONE by its identity.
		return new RetryRules(retries, limits.or(JobLimits.NONE), reading.option(JobOption.DEAD, job.dead()),
				this.backoffs.find(job.backoff(), reading), types);
	}

	private static List<String> tags(Job job, JobReading reading) {
		List<String> tags = Stream.of(reading.option(JobOption.TAGS, job.tags())).map(reading::resolve).toList();
		if (tags.contains("")) {
			reading.report("has an empty tag", "Remove it.");
		}
		return tags;
	}

}
