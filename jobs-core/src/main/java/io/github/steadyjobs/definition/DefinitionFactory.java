package io.github.steadyjobs.definition;

import io.github.steadyjobs.JobType;
import io.github.steadyjobs.arguments.JobParameters;
import io.github.steadyjobs.definition.SpecReader.JobSpec;
import io.github.steadyjobs.idempotence.IdempotenceReader;
import io.github.steadyjobs.idempotence.JobIdempotence;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.json.JsonMapper;

/**
 * Makes definitions, each from what an annotation says.
 */
final class DefinitionFactory {

	private final SpecReader specs;

	private final IdempotenceReader idempotence;

	private final JsonMapper mapper;

	private final JobParameters untyped;

	DefinitionFactory(SpecReader specs, IdempotenceReader idempotence, JsonMapper mapper) {
		this.specs = specs;
		this.idempotence = idempotence;
		this.mapper = mapper;
		this.untyped = JobParameters.untyped(mapper);
	}

	JobDefinition create(JobMethod method, @Nullable BeanCall bean, Problems problems) {
		JobSpec spec = this.specs.read(method, problems);
		MethodRules.check(method, problems);
		JobParameters parameters = JobParameters.of(method, this.mapper,
				(found, advice) -> problems.add("Job '%s' (%s): %s".formatted(spec.name(), method, found), advice));
		JobIdempotence idempotence = this.idempotence.read(method, spec.name(),
				this.specs.settings(spec.name()).idempotence(), (text) -> this.specs.resolve(method, text, problems),
				problems::add);
		return new JobDefinition(spec, idempotence, parameters, method, bean);
	}

	/**
	 * Make a definition of a job whose bean is elsewhere.
	 * @param type the type of its argument
	 * @param annotation names the job
	 * @return the definition
	 * @throws io.github.steadyjobs.InvalidJobException if the annotation is wrong
	 */
	JobDefinition create(Class<?> type, JobType annotation) {
		Problems problems = new Problems();
		JobSpec spec = this.specs.read(type, annotation, problems);
		problems.throwInvalidJobIfAny();
		JobIdempotence idempotence = this.idempotence.readElsewhere(spec.name(),
				this.specs.settings(spec.name()).idempotence());
		return new JobDefinition(spec, idempotence, this.untyped, null, null);
	}

	/**
	 * Return what a job takes of which nothing is known here.
	 */
	JobParameters untyped() {
		return this.untyped;
	}

}
