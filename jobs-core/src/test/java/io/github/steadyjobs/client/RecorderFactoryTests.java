package io.github.steadyjobs.client;

import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;

import io.github.steadyjobs.InvalidJobException;
import io.github.steadyjobs.Job;
import io.github.steadyjobs.JobCall;
import io.github.steadyjobs.JobRequest.Called;
import io.github.steadyjobs.arguments.JobJson;
import io.github.steadyjobs.definition.IdempotenceDefaults;
import io.github.steadyjobs.definition.JobRegistry;
import org.assertj.core.api.ThrowableAssertAlternative;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;

import org.springframework.context.annotation.AnnotationConfigApplicationContext;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * Tests for {@link RecorderFactory}: the classes and interfaces whose calls can be
 * recorded, and the error messages for all other types.
 */
class RecorderFactoryTests {

	private static final AnnotationConfigApplicationContext context = new AnnotationConfigApplicationContext(
			FinalHandler.class);

	private final CallRecorder recorder = new CallRecorder(new JobRegistry(context.getBeanFactory(), Map.of(),
			IdempotenceDefaults.STANDARD, JobJson.builder().build()));

	@AfterAll
	static void close() {
		context.close();
	}

	@Test
	void recordWhenTypeIsInterfaceFindsBean() {
		CallRecorder.Call call = record(Handler.class, (handler) -> {
			assertThat(handler.size()).isZero();
		});
		assertThat(call.definition().name()).isEqualTo("FinalHandler.size");
		CallRecorder.Call generic = record(TextHandler.class, (handler) -> handler.handle("a"));
		assertThat(generic.definition().name()).isEqualTo("FinalHandler.handle");
		assertThat(generic.arguments()).containsExactly("a");
	}

	@Test
	void recordWhenClassIsFinalSaysWhatToDo() {
		assertRefused(FinalHandler.class, (handler) -> handler.handle("a")).withMessageContainingAll("it is final",
				"JobRequest.named", "interface that it implements");
	}

	@Test
	void recordWhenConstructorThrowsOrIsPrivateDoesNotCallIt() {
		assertThat(record(Throwing.class, Throwing::run).definition().name()).isEqualTo("Throwing.run");
		assertThat(record(Hidden.class, Hidden::run).definition().name()).isEqualTo("Hidden.run");
	}

	@Test
	void recordWhenFinalMethodIsCalledNamesIt() {
		assertRefused(WithFinal.class, WithFinal::quiet)
			.withMessageContaining("Final, private and static methods cannot, which here are failing, quiet.");
		assertRefused(WithFinal.class, WithFinal::failing)
			.withMessageContaining("Final, private and static methods cannot, which here are failing, quiet.");
	}

	@Test
	void createWhenImageIsNativeAndRecorderWasNotCreatedAheadOfTimeSaysSo() throws Exception {
		// CGLIB reads this property once, so only a new process can have another value.
		Process image = new ProcessBuilder(Path.of(System.getProperty("java.home"), "bin", "java").toString(), "-cp",
				System.getProperty("java.class.path"), "-Dorg.graalvm.nativeimage.imagecode=runtime",
				NativeImage.class.getName())
			.redirectErrorStream(true)
			.start();
		assertThat(new String(image.getInputStream().readAllBytes(), StandardCharsets.UTF_8)).startsWith(
				"Calls of %s cannot be recorded, since it has no recorder, and a native image cannot create one: recorders are created ahead of time, for the classes of beans with jobs"
					.formatted(Hidden.class.getName()))
			.contains("JobRequest.named");
	}

	private <T> CallRecorder.Call record(Class<T> type, JobCall<T> call) {
		return this.recorder.record(new Called<>(type, call));
	}

	private <T> ThrowableAssertAlternative<InvalidJobException> assertRefused(Class<T> type, JobCall<T> call) {
		return assertThatExceptionOfType(InvalidJobException.class).isThrownBy(() -> record(type, call));
	}

	interface Handler {

		int size();

	}

	interface GenericHandler<T> {

		void handle(T value);

	}

	interface TextHandler extends GenericHandler<String> {

	}

	static final class FinalHandler implements Handler, TextHandler {

		@Override
		@Job
		public int size() {
			return 1;
		}

		@Override
		@Job
		public void handle(String value) {
		}

	}

	static class Throwing {

		Throwing(int number) {
			throw new IllegalStateException("constructor");
		}

		@Job
		void run() {
		}

	}

	static class Hidden {

		private Hidden() {
		}

		@Job
		void run() {
		}

	}

	static class WithFinal {

		private final List<String> list = List.of();

		@Job
		final void quiet() {
		}

		@Job
		final void failing() {
			this.list.forEach((text) -> {
			});
		}

	}

	static final class NativeImage {

		public static void main(String[] args) {
			try {
				new RecorderFactory().create(Hidden.class, (recorder, method, arguments) -> null);
			}
			catch (InvalidJobException ex) {
				System.out.print(ex.getMessage());
			}
		}

	}

}
