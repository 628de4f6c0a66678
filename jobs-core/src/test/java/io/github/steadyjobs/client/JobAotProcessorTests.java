package io.github.steadyjobs.client;

import java.util.List;

import io.github.steadyjobs.Idempotence;
import io.github.steadyjobs.IdempotenceStrategy;
import io.github.steadyjobs.Idempotent;
import io.github.steadyjobs.Job;
import io.github.steadyjobs.JobContext;
import io.github.steadyjobs.JobRequest;
import io.github.steadyjobs.RetriesExhausted;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import org.springframework.aot.generate.ClassNameGenerator;
import org.springframework.aot.generate.DefaultGenerationContext;
import org.springframework.aot.generate.GeneratedFiles.Kind;
import org.springframework.aot.generate.InMemoryGeneratedFiles;
import org.springframework.aot.hint.MemberCategory;
import org.springframework.aot.hint.RuntimeHints;
import org.springframework.aot.hint.TypeHint;
import org.springframework.aot.hint.predicate.RuntimeHintsPredicates;
import org.springframework.beans.factory.support.DefaultListableBeanFactory;
import org.springframework.context.annotation.AnnotationConfigApplicationContext;
import org.springframework.context.aot.ApplicationContextAotGenerator;
import org.springframework.javapoet.ClassName;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link JobAotProcessor} and {@link JobRuntimeHints}: what is generated and
 * registered while Spring processes an application ahead of time.
 */
class JobAotProcessorTests {

	private static final InMemoryGeneratedFiles files = new InMemoryGeneratedFiles();

	private static RuntimeHints hints;

	@BeforeAll
	static void process() {
		try (AnnotationConfigApplicationContext context = new AnnotationConfigApplicationContext()) {
			context.register(Orders.class, Report.class, Fixed.class);
			DefaultGenerationContext generation = new DefaultGenerationContext(
					new ClassNameGenerator(ClassName.get("generated", "Application")), files);
			new ApplicationContextAotGenerator().processAheadOfTime(context, generation);
			hints = generation.getRuntimeHints();
		}
	}

	@Test
	void processRegistersOnlyMethodsThatAreCalled() {
		assertThat(invoked(Orders.class)).containsExactlyInAnyOrder("send", "failed");
		assertThat(invoked(Shipping.class)).containsExactly("send");
		assertThat(invoked(Report.class)).containsExactly("perform");
	}

	private static List<String> invoked(Class<?> type) {
		TypeHint hint = hints.reflection().getTypeHint(type);
		assertThat(hint).isNotNull();
		assertThat(hint.getMemberCategories()).doesNotContain(MemberCategory.INVOKE_DECLARED_METHODS,
				MemberCategory.INVOKE_PUBLIC_METHODS);
		return hint.methods().map((method) -> method.getName()).toList();
	}

	@ParameterizedTest
	@ValueSource(classes = { Order.class, Line.class })
	void processRegistersArgumentsForJson(Class<?> type) {
		assertThat(RuntimeHintsPredicates.reflection()
			.onType(type)
			.withMemberCategory(MemberCategory.INVOKE_DECLARED_CONSTRUCTORS)).accepts(hints);
	}

	@ParameterizedTest
	@ValueSource(classes = { Order.class, Line.class })
	void processRegistersAccessorsOfArguments(Class<?> type) throws NoSuchMethodException {
		assertThat(RuntimeHintsPredicates.reflection().onMethodInvocation(type.getDeclaredMethod("number")))
			.accepts(hints);
	}

	@Test
	void processRegistersNoTypeThatIsNotStored() {
		assertThat(RuntimeHintsPredicates.reflection().onType(JobContext.class)).rejects(hints);
		assertThat(RuntimeHintsPredicates.reflection().onType(Unused.class)).rejects(hints);
	}

	@Test
	void processCreatesRecordersOfClasses() {
		for (Class<?> type : List.of(Orders.class, Report.class)) {
			Class<?> recorder = new RecorderFactory().recorderClass(type);
			assertThat(recorder.getName()).isEqualTo(type.getName() + "$$EnhancerByJobRecorder$$0");
			assertThat(files.getGeneratedFiles(Kind.CLASS))
				.containsKey(recorder.getName().replace('.', '/') + ".class");
			assertThat(RuntimeHintsPredicates.reflection()
				.onType(recorder)
				.withMemberCategory(MemberCategory.UNSAFE_ALLOCATED)).accepts(hints);
		}
	}

	@Test
	void processRegistersProxiesOfInterfaces() {
		assertThat(RuntimeHintsPredicates.proxies().forInterfaces(Shipping.class)).accepts(hints);
	}

	@Test
	void processWhenClassIsFinalCreatesNoRecorder() {
		assertThat(invoked(Fixed.class)).containsExactly("run");
		assertThat(files.getGeneratedFiles(Kind.CLASS).keySet()).noneMatch((file) -> file.contains("Fixed"));
	}

	@Test
	void processRegistersStrategiesOfTheApplication() {
		assertThat(RuntimeHintsPredicates.reflection()
			.onType(Always.class)
			.withMemberCategory(MemberCategory.INVOKE_DECLARED_CONSTRUCTORS)).accepts(hints);
	}

	@Test
	void processWhenThereAreNoJobsAddsNothing() {
		assertThat(new JobAotProcessor().processAheadOfTime(new DefaultListableBeanFactory())).isNull();
	}

	@Test
	void registerHintsIncludesScripts() {
		RuntimeHints always = new RuntimeHints();
		new JobRuntimeHints().registerHints(always, getClass().getClassLoader());
		assertThat(RuntimeHintsPredicates.resource().forResource("io/github/steadyjobs/redis/read.lua"))
			.accepts(always);
		assertThat(RuntimeHintsPredicates.resource().forResource("io/github/steadyjobs/admin/read.lua"))
			.accepts(always);
		assertThat(RuntimeHintsPredicates.proxies().forInterfaces(JobContext.class)).accepts(always);
	}

	record Order(int number, List<Line> lines) {

	}

	record Line(int number) {

	}

	record Unused(int number) {

	}

	interface Shipping {

		void send(Order order, JobContext job);

	}

	static class Orders implements Shipping {

		@Override
		@Job(queue = "${known.only.at.run.time}")
		@Idempotent(custom = Always.class)
		public void send(Order order, JobContext job) {
		}

		@RetriesExhausted
		void failed(Order order) {
		}

		Unused other(Unused unused) {
			return unused;
		}

	}

	@Job
	static class Report {

		public void perform() {
		}

		void other(Unused unused) {
		}

	}

	static final class Fixed {

		@Job
		void run() {
		}

	}

	static class Always implements IdempotenceStrategy {

		@Override
		public @Nullable Idempotence decide(JobRequest request, Idempotence declared) {
			return declared;
		}

	}

}
