package io.github.steadyjobs.definition;

import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Supplier;

import io.github.steadyjobs.JobContext;
import io.github.steadyjobs.JobPayload;
import io.github.steadyjobs.arguments.JobJson;
import io.github.steadyjobs.definition.JobDefinitionException.Problem;
import tools.jackson.databind.json.JsonMapper;

import org.springframework.context.annotation.AnnotationConfigApplicationContext;
import org.springframework.core.env.MapPropertySource;

import static org.assertj.core.api.Assertions.catchThrowableOfType;

/**
 * An application context with jobs and their registry.
 */
public final class JobsContext implements AutoCloseable {

	public static final JsonMapper MAPPER = JobJson.builder().build();

	private final AnnotationConfigApplicationContext context = new AnnotationConfigApplicationContext();

	private JobsContext(Map<String, JobSettings> settings, IdempotenceDefaults defaults, Map<String, Object> properties,
			Class<?>... beans) {
		this.context.getEnvironment().getPropertySources().addFirst(new MapPropertySource("test", properties));
		this.context.registerBean("jobRegistry", JobRegistry.class,
				() -> new JobRegistry(this.context.getBeanFactory(), settings, defaults, MAPPER));
		if (beans.length > 0) {
			this.context.register(beans);
		}
		this.context.refresh();
	}

	public static JobsContext of(Class<?>... beans) {
		return new JobsContext(Map.of(), IdempotenceDefaults.STANDARD, Map.of(), beans);
	}

	public static JobsContext withProperties(Map<String, Object> properties, Class<?>... beans) {
		return new JobsContext(Map.of(), IdempotenceDefaults.STANDARD, properties, beans);
	}

	public static JobsContext withSettings(Map<String, JobSettings> settings, Class<?>... beans) {
		return new JobsContext(settings, IdempotenceDefaults.STANDARD, Map.of(), beans);
	}

	public static JobsContext withDefaults(IdempotenceDefaults defaults, Class<?>... beans) {
		return new JobsContext(Map.of(), defaults, Map.of(), beans);
	}

	/**
	 * Start a context that is expected to fail.
	 * @param beans the beans with the mistakes
	 * @return the reported problems
	 */
	public static List<Problem> problemsOf(Class<?>... beans) {
		return problemsOf(() -> of(beans));
	}

	public static List<Problem> problemsOf(Supplier<JobsContext> context) {
		return catchThrowableOfType(JobDefinitionException.class, () -> context.get().close()).problems();
	}

	public JobRegistry registry() {
		return this.context.getBean(JobRegistry.class);
	}

	public JobDefinition job(String name) {
		return Objects.requireNonNull(registry().find(name), name);
	}

	/**
	 * Run a job.
	 * @param name the name of the job
	 * @param json the arguments of the job, as a JSON array
	 */
	public void run(String name, String json) throws Exception {
		JobDefinition job = job(name);
		job.call(job.parameters().bind(payload(name, json), JobContext.none()));
	}

	/**
	 * Return a job in its stored form.
	 * @param name the name of the job
	 * @param arguments the arguments of the job, as a JSON array
	 */
	public static JobPayload payload(String name, String arguments) {
		String json = "{\"jid\":\"019b76daa800a51c2d3e4f50\",\"class\":\"%s\",\"args\":%s}".formatted(name, arguments);
		return JobPayload.read(MAPPER, json.getBytes(StandardCharsets.UTF_8));
	}

	public AnnotationConfigApplicationContext context() {
		return this.context;
	}

	public <T> T bean(Class<T> type) {
		return this.context.getBean(type);
	}

	@Override
	public void close() {
		this.context.close();
	}

}
