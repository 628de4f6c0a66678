package io.github.steadyjobs.arguments;

import java.io.File;
import java.io.InputStream;
import java.math.BigDecimal;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.time.ZoneId;
import java.util.Date;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

import com.fasterxml.jackson.annotation.JsonIgnore;
import com.fasterxml.jackson.annotation.JsonTypeInfo;
import com.fasterxml.jackson.annotation.JsonValue;
import io.github.steadyjobs.Job;
import io.github.steadyjobs.JobContext;
import io.github.steadyjobs.definition.JobDefinitionException.Problem;
import io.github.steadyjobs.definition.JobsContext;
import jakarta.persistence.Entity;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link TypeWalk}: the declared parameter types that a job may have, and the
 * types that are refused at start-up (SK-62).
 */
class DeclaredTypeTests {

	@Test
	void collectWhenTypesAreSafeAcceptsThem() {
		try (JobsContext context = JobsContext.of(Accepted.class)) {
			assertThat(context.registry().definitions()).hasSize(5);
		}
	}

	@Test
	void collectWhenTypesAreNotSafeRefusesEachWithPathAndAdvice() {
		List<Problem> problems = JobsContext.problemsOf(Refused.class);
		assertThat(problems).extracting((problem) -> problem.description().split(": ")[1] + " " + problem.action())
			.satisfiesExactly(
					(a) -> assertThat(a).startsWith("args[0].owner is of type java.lang.Object")
						.contains("Declare a record"),
					(b) -> assertThat(b).startsWith("args[1] is the interface java.lang.CharSequence"),
					(c) -> assertThat(c).startsWith("args[0] is the abstract class java.lang.Number"),
					(d) -> assertThat(d).startsWith("args[0][*] is of type java.lang.Object, like raw types and"),
					(e) -> assertThat(e).startsWith("args[0][*] is of type java.lang.Object"),
					(f) -> assertThat(f).startsWith("args[0].lines[*].customer is the JPA entity")
						.contains("Pass its id and load it in the job."),
					(g) -> assertThat(g).startsWith("args[0] is of type java.io.InputStream, a stream")
						.contains("pass its key"),
					(h) -> assertThat(h).startsWith("args[0] is of type java.util.stream.Stream, a stream"),
					(i) -> assertThat(i).startsWith("args[0] is of type java.io.File, a file").contains("as text"),
					(j) -> assertThat(j).startsWith("args[0] is of type java.nio.file.Path, a file"),
					(k) -> assertThat(k).startsWith("args[0] is of type java.lang.Runnable, code and not data"),
					(l) -> assertThat(l)
						.startsWith("args[0] is of type java.lang.Class, a part of the running program"),
					(m) -> assertThat(m)
						.startsWith("args[0] is of type java.lang.Thread, a part of the running program"),
					(n) -> assertThat(n).startsWith("args[0] is of type java.util.Date").contains("java.time.Instant"),
					(o) -> assertThat(o).startsWith("args[0] has keys of type java.util.Locale").contains("UUIDs"),
					(p) -> assertThat(p).startsWith("args[0] is of type").contains("an inner class", "static class"),
					(q) -> assertThat(q).startsWith("args[0] has a @JsonTypeInfo"),
					(r) -> assertThat(r).startsWith("args[0] is of type")
						.contains("nothing would be written", "getters"),
					(s) -> assertThat(s).startsWith("args[0] is of type")
						.contains("cannot be created again", "constructor"),
					(t) -> assertThat(t).startsWith("args[0] is the interface java.util.Queue"));
	}

	@Test
	void collectWhenTypeIsNotSafeNamesJobAndMethod() {
		assertThat(JobsContext.problemsOf(OneRefused.class)).singleElement()
			.satisfies((problem) -> assertThat(problem.description()).startsWith(
					"Job 'one.refused' (" + OneRefused.class.getName() + ".run) cannot be stored: args[0] is of type"));
	}

	enum State {

		NEW {
			@Override
			public String toString() {
				return "new";
			}
		},

		PAID

	}

	record Tree(String name, List<Tree> children, @Nullable Tree parent) {

	}

	record Box<T>(T content) {

	}

	static class Plain {

		private String name = "";

		private @Nullable Thread hidden;

		public String getName() {
			return this.name;
		}

		public void setName(String name) {
			this.name = name;
		}

		@JsonIgnore
		public @Nullable Thread getHidden() {
			return this.hidden;
		}

	}

	record Money(@JsonValue String text) {

	}

	record Empty() {

	}

	static class Accepted {

		@Job
		void scalars(boolean a, Long b, char c, double d, String e, State f, UUID g, URI h, Duration i, ZoneId j,
				BigDecimal k, TimeUnit l) {
		}

		@Job
		void containers(Set<String> a, Map<UUID, List<int[]>> b, EnumMap<State, String> c, String[][] d, byte[] e,
				Optional<Tree> f, SortedMap<String, State> g) {
		}

		@Job
		void objects(Tree tree, Plain plain, Box<Box<String>> box, Money money, Empty empty) {
		}

		@Job
		void bounded(List<? extends Tree> trees, JobContext context) {
		}

		@Job
		void none() {
		}

	}

	record Held(Object owner) {

	}

	@Entity
	static class Customer {

		public String name = "";

	}

	record Order(List<Line> lines) {

	}

	record Line(Customer customer) {

	}

	class Inner {

		public String name = "";

	}

	@JsonTypeInfo(use = JsonTypeInfo.Id.CLASS)
	record Typed(String name) {

	}

	static class Closed {

		@SuppressWarnings("unused")
		private String name = "";

	}

	static class NoConstructor {

		public final String name;

		NoConstructor(String first, String second) {
			this.name = first + second;
		}

	}

	@SuppressWarnings("rawtypes")
	static class Refused {

		@Job
		void a(Held held, CharSequence text) {
		}

		@Job
		void c(Number number) {
		}

		@Job
		void d(List raw) {
		}

		@Job
		void e(List<?> wildcard) {
		}

		@Job
		void f(Order order) {
		}

		@Job
		void g(InputStream stream) {
		}

		@Job
		void h(Stream<String> stream) {
		}

		@Job
		void i(File file) {
		}

		@Job
		void j(Path path) {
		}

		@Job
		void k(Runnable code) {
		}

		@Job
		void l(Class<?> type) {
		}

		@Job
		void m(Thread thread) {
		}

		@Job
		void n(Date date) {
		}

		@Job
		void o(Map<Locale, String> names) {
		}

		@Job
		void p(Inner inner) {
		}

		@Job
		void q(Typed typed) {
		}

		@Job
		void r(Closed closed) {
		}

		@Job
		void s(NoConstructor noConstructor) {
		}

		@Job
		void t(java.util.Queue<String> queue) {
		}

	}

	static class OneRefused {

		@Job(name = "one.refused")
		void run(Object anything) {
		}

	}

}
