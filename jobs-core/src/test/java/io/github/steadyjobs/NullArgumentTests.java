package io.github.steadyjobs;

import java.lang.reflect.Constructor;
import java.lang.reflect.Executable;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.lang.reflect.Parameter;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import java.util.stream.Stream;

import io.github.steadyjobs.arguments.JobJson;
import io.github.steadyjobs.client.JobClientFactory;
import io.github.steadyjobs.client.JobClientSettings;
import io.github.steadyjobs.client.JobStore;
import io.github.steadyjobs.definition.IdempotenceDefaults;
import io.github.steadyjobs.definition.JobRegistry;
import io.github.steadyjobs.redis.PayloadCodec;
import io.github.steadyjobs.redis.RedisConnections;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

import org.springframework.beans.factory.support.DefaultListableBeanFactory;
import org.springframework.data.redis.connection.lettuce.LettuceConnectionFactory;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

/**
 * Tests that all public methods refuse {@code null}, with the name of the parameter in
 * the message.
 */
class NullArgumentTests {

	private static final JsonMapper MAPPER = JobJson.builder().build();

	// Nothing is sent, so no server is needed.
	private static final RedisConnections CONNECTIONS = new RedisConnections(new LettuceConnectionFactory());

	private static final ObjectNode JSON = JsonNodeFactory.instance.objectNode().put("jid", "a").put("class", "b");

	static {
		JSON.putArray("args");
	}

	private static final JobClient CLIENT = JobClientFactory.create(new JobStore(CONNECTIONS, "unused"),
			new PayloadCodec(MAPPER),
			new JobRegistry(new DefaultListableBeanFactory(), Map.of(), IdempotenceDefaults.STANDARD, MAPPER),
			List.of(), List.of(), JobClientSettings.DEFAULTS);

	private static final List<Object> OBJECTS = List.of(JobRequest.named("a"), Idempotence.untilExecuted(),
			new EnqueueResult.Enqueued("a"), new EnqueueResult.Scheduled("a", Instant.EPOCH),
			new EnqueueResult.Deferred("a"), new EnqueueResult.Buffered("a"), new EnqueueResult.Duplicate("a", false),
			new EnqueueResult.Stopped("a"), new JobRequest.Typed("a"), new JobRequest.Named("a", List.of()),
			new JobRequest.Called<>(String.class, (text) -> {
			}), JobPayload.of(JSON), CLIENT);

	private static final List<Object> SAMPLES = List.of("a", Duration.ofSeconds(1), Instant.EPOCH, Durability.STORED,
			Idempotence.untilExecuting(), Idempotent.Strategy.WITHIN, Idempotent.IfDuplicate.DROP, List.of(), Map.of(),
			JobRequest.named("a"), new JobRequest.Typed("a"), JSON, new String[0], new Object[0], String.class,
			JsonMapper.shared(), new byte[0]);

	@ParameterizedTest
	@MethodSource("parameters")
	void callWhenArgumentIsNullSaysWhich(Object target, Executable executable, int index) {
		@Nullable Object[] arguments = Arrays.stream(executable.getParameterTypes()).map(NullArgumentTests::sample).toArray();
		arguments[index] = null;
		String name = executable.getParameters()[index].getName();
		assertThatIllegalArgumentException().isThrownBy(() -> call(target, executable, arguments))
			.withMessageContaining("'%s' must not be ", name);
	}

	@Test
	void exactlyWhenDelayIsNullSaysSo() {
		assertThatIllegalArgumentException().isThrownBy(() -> RetryDelay.exactly(null))
			.withMessageContaining("'delay' must not be null");
	}

	@Test
	void elementsThatAreNullAreRefusedByPosition() {
		JobRequest request = JobRequest.named("a");
		assertThatIllegalArgumentException().isThrownBy(() -> request.tags("a", null))
			.withMessageContaining("'tags' must not contain null");
		assertThatIllegalArgumentException().isThrownBy(() -> CLIENT.enqueueAll(Arrays.asList(request, null)))
			.withMessageContaining("'requests' must not contain null, but element 1 is null");
	}

	@Test
	void namedWhenAnArgumentIsNullKeepsIt() {
		assertThat(((JobRequest.Named) JobRequest.named("a", (Object) null).target()).arguments()).containsOnlyNulls()
			.hasSize(1);
	}

	static Stream<Object[]> parameters() {
		List<Object[]> parameters = new ArrayList<>();
		for (Object object : OBJECTS) {
			Stream<Executable> constructors = object.getClass().isRecord()
					? Arrays.stream(object.getClass().getConstructors()) : Stream.empty();
			Class<?> type = (object instanceof JobClient) ? JobClient.class : object.getClass();
			Stream<Executable> methods = Arrays.stream(type.getMethods())
				.filter((method) -> method.getDeclaringClass() != Object.class && !method.getName().equals("equals"))
				.map(Executable.class::cast);
			Stream.concat(constructors, methods).forEach((executable) -> add(parameters, object, executable));
		}
		return parameters.stream();
	}

	private static void add(List<Object[]> parameters, Object object, Executable executable) {
		Parameter[] all = executable.getParameters();
		for (int index = 0; index < all.length; index++) {
			boolean nullable = all[index].getAnnotatedType().isAnnotationPresent(Nullable.class);
			if (!nullable && !all[index].getType().isPrimitive()) {
				parameters.add(new Object[] { object, executable, index });
			}
		}
	}

	private static @Nullable Object sample(Class<?> type) {
		if (type == boolean.class) {
			return false;
		}
		if (type == int.class) {
			return 1;
		}
		if (type == JobCall.class) {
			return (JobCall<Object>) (job) -> {
			};
		}
		if (type == Consumer.class) {
			return (Consumer<Object>) (json) -> {
			};
		}
		return SAMPLES.stream().filter(type::isInstance).findFirst().orElse(null);
	}

	private static @Nullable Object call(Object target, Executable executable, @Nullable Object[] arguments)
			throws Throwable {
		try {
			if (executable instanceof Method method) {
				method.setAccessible(true);
				return method.invoke(Modifier.isStatic(method.getModifiers()) ? null : target, arguments);
			}
			return ((Constructor<?>) executable).newInstance(arguments);
		}
		catch (InvocationTargetException ex) {
			throw ex.getCause();
		}
	}

}
