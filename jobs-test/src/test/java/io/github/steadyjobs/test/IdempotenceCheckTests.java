package io.github.steadyjobs.test;

import java.net.InetSocketAddress;
import java.nio.channels.ServerSocketChannel;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.NoSuchElementException;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.Callable;

import io.github.steadyjobs.ClientInterceptor;
import io.github.steadyjobs.DiscardJobException;
import io.github.steadyjobs.Idempotent;
import io.github.steadyjobs.InvalidJobException;
import io.github.steadyjobs.Job;
import io.github.steadyjobs.JobContext;
import io.github.steadyjobs.JobRequest;
import io.github.steadyjobs.NotIdempotent;
import io.github.steadyjobs.ServerInterceptor;
import io.github.steadyjobs.SnoozeJobException;
import io.github.steadyjobs.boot.JobsAutoConfiguration;
import io.github.steadyjobs.boot.JobsDoctorAutoConfiguration;
import io.github.steadyjobs.boot.JobsWorkerAutoConfiguration;
import org.assertj.core.api.AbstractThrowableAssert;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.mockito.Mockito;

import org.springframework.aop.framework.ProxyFactory;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.data.redis.autoconfigure.DataRedisAutoConfiguration;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.ApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Lazy;
import org.springframework.core.Ordered;
import org.springframework.transaction.support.TransactionSynchronizationManager;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

/**
 * Tests for {@link IdempotenceCheck}.
 */
class IdempotenceCheckTests {

	private final ApplicationContextRunner application = new ApplicationContextRunner()
		.withConfiguration(AutoConfigurations.of(DataRedisAutoConfiguration.class, JobsAutoConfiguration.class,
				JobsWorkerAutoConfiguration.class, JobsDoctorAutoConfiguration.class))
		.withPropertyValues("steadyjobs.worker.enabled=false", "steadyjobs.doctor.enabled=false")
		.withBean(Shelf.class)
		.withUserConfiguration(ShelfJobs.class);

	@Test
	void checkWhenJobIsIdempotentPassesWithoutRedis() throws Exception {
		try (ServerSocketChannel redis = ServerSocketChannel.open()) {
			redis.bind(new InetSocketAddress("localhost", 0)).configureBlocking(false);
			int port = ((InetSocketAddress) redis.getLocalAddress()).getPort();
			this.application.withPropertyValues("spring.data.redis.port=" + port).run((context) -> {
				check(context, "ShelfJobs.put", "a");
				assertThat(context.getBean(Shelf.class).books).containsExactly(Map.entry("a", 1));
				assertThat(redis.accept()).as("connection to Redis").isNull();
			});
		}
	}

	@Test
	@DisplayName("GL-05: a job without parameters is called without arguments")
	void checkWhenJobHasNoArgumentsCallsItWithNone() {
		this.application.run((context) -> {
			IdempotenceCheck.in(context)
				.check(JobRequest.of(ShelfJobs.class, ShelfJobs::fill), context.getBean(Shelf.class)::books);
			assertThat(context.getBean(Shelf.class).books).containsOnlyKeys("filled");
		});
	}

	@Test
	@DisplayName("GL-07: the state after each run equals the state after the first run")
	void checkWhenLaterRunChangesObservedStateFailsWithDifferences() {
		this.application.run(
				(context) -> assertFails(() -> check(context, "ShelfJobs.add", "a"))
					.hasMessageContainingAll(
							"Job ShelfJobs.add (" + ShelfJobs.class.getName() + ".add) is not idempotent. "
									+ "After run 2 the state differs from that after the first one",
							"  [a]: 1, then 2"));
	}

	@Test
	void checkWhenOnlyThirdRunChangesStateFails() {
		this.application.run((context) -> {
			IdempotenceCheck three = IdempotenceCheck.in(context).runs(3);
			assertFails(() -> three.check(JobRequest.named("ShelfJobs.addWhenRetried", "a"),
					context.getBean(Shelf.class)::books))
				.hasMessageContaining("After run 3");
		});
	}

	@Test
	void checkWhenFirstRunChangesNothingFails() {
		this.application.run((context) -> assertFails(() -> check(context, "ShelfJobs.nothing", "a"))
			.hasMessageContainingAll("The first run of Job ShelfJobs.nothing", "changed nothing of what is observed",
					"mayChangeNothing(\"why\")"));
	}

	@Test
	void checkWhenFirstRunMayChangeNothingPasses() {
		this.application.run((context) -> IdempotenceCheck.in(context)
			.mayChangeNothing("the shelf is full")
			.check(JobRequest.named("ShelfJobs.nothing", "a"), context.getBean(Shelf.class)::books));
	}

	@Test
	void checkWhenObservedStateIsLiveComparesWhatItWas() {
		this.application.run((context) -> assertFails(() -> IdempotenceCheck.in(context)
			.check(JobRequest.named("ShelfJobs.add", "a"), () -> context.getBean(Shelf.class)))
			.hasMessageContaining("  .books[a]: 1, then 2"));
	}

	@ParameterizedTest
	@ValueSource(ints = { 1, 2 })
	void checkWhenRunThrowsFailsAndSaysWhichRun(int run) {
		this.application.run((context) -> assertFails(() -> check(context, "ShelfJobs.fail", "" + run))
			.hasMessageStartingWith("Run " + run + " of 2 of Job ShelfJobs.fail")
			.hasMessageEndingWith("failed: java.lang.IllegalStateException: dropped")
			.hasRootCauseInstanceOf(IllegalStateException.class));
	}

	@Test
	void checkWhenLaterRunIsDiscardedByJobPasses() {
		this.application.run((context) -> check(context, "ShelfJobs.discard", "2"));
	}

	@ParameterizedTest
	@ValueSource(strings = { "ShelfJobs.snooze", "ShelfJobs.discardByType" })
	void checkWhenLaterRunEndsQuietlyPassesAndAFirstOneFails(String job) {
		this.application.run((context) -> check(context, job, "2"));
		this.application
			.run((context) -> assertFails(() -> check(context, job, "1")).hasMessageStartingWith("Run 1 of 2"));
	}

	@Test
	void checkWhenFirstRunIsDiscardedByJobFails() {
		this.application.run((context) -> assertFails(() -> check(context, "ShelfJobs.discard", "1"))
			.hasMessageStartingWith("Run 1 of 2"));
	}

	@Test
	void checkWhenJobIsNotIdempotentFails() {
		this.application.run((context) -> assertFails(() -> check(context, "ShelfJobs.burn", "a"))
			.hasMessageContaining("says that it is not idempotent. Test what guards"));
	}

	@Test
	void checkWhenJobIsUndeclaredFails() {
		this.application.run((context) -> assertFails(() -> check(context, "ShelfJobs.undeclared", "a"))
			.hasMessageContaining("does not say that it is idempotent. Put @Idempotent beside its @Job"));
	}

	@Test
	void checkWhenJobIsUnknownFailsAndNamesThoseThatAre() {
		this.application.run((context) -> assertFails(() -> check(context, "ShelfJobs.putt", "a"))
			.hasMessageContainingAll("Job 'ShelfJobs.putt' has no bean in this context", "ShelfJobs.put,"));
	}

	@Test
	void checkWhenArgumentsDoNotFitIsRefusedAsByClient() {
		this.application.run((context) -> assertThatExceptionOfType(InvalidJobException.class)
			.isThrownBy(() -> check(context, "ShelfJobs.put", 1)));
	}

	@Test
	void checkWhenJobsAreNotConfiguredFails() {
		this.application.withPropertyValues("steadyjobs.enabled=false")
			.run((context) -> assertFails(() -> check(context, "ShelfJobs.put", "a"))
				.hasMessageContainingAll("The context has no JobRegistry", "@SpringBootTest"));
	}

	@Test
	void checkWhenTestHasTransactionFails() {
		this.application.run((context) -> {
			TransactionSynchronizationManager.setActualTransactionActive(true);
			try {
				assertFails(() -> check(context, "ShelfJobs.put", "a"))
					.hasMessageContainingAll("The test runs in a transaction", "Remove @Transactional");
			}
			finally {
				TransactionSynchronizationManager.setActualTransactionActive(false);
			}
		});
	}

	@Test
	void checkWhenBeanIsMockFails() {
		this.application.withBean("printer", Printer.class, () -> Mockito.mock(Printer.class)).run((context) -> {
			assertFails(() -> check(context, "ShelfJobs.put", "a")).hasMessageContainingAll(
					"Bean 'printer' is a mock or spy (", "nobody observes", "replaced(<its type>, \"why\")");
			assertThat(context.getBean(Shelf.class).books).as("books changed by the check").isEmpty();
		});
	}

	@Test
	void checkWhenBeanIsProxyOfMockFails() {
		ProxyFactory proxy = new ProxyFactory(Mockito.mock(Printer.class));
		proxy.setProxyTargetClass(true);
		this.application.withBean("printer", Printer.class, () -> (Printer) proxy.getProxy())
			.run((context) -> assertFails(() -> check(context, "ShelfJobs.put", "a"))
				.hasMessageContaining("Bean 'printer' is a mock"));
	}

	@Test
	void checkWhenMockIsInParentContextFails() {
		ApplicationContextRunner parent = new ApplicationContextRunner().withBean("printer", Printer.class,
				() -> Mockito.mock(Printer.class));
		parent.run((above) -> this.application.withParent(above)
			.run((context) -> assertFails(() -> check(context, "ShelfJobs.put", "a"))
				.hasMessageContaining("Bean 'printer' is a mock")));
	}

	@Test
	void checkWhenMockIsCreatedByTheJobFails() {
		this.application.withUserConfiguration(LazyMock.class).run((context) -> {
			assertThat(context.getBeanFactory().containsSingleton("printer")).isFalse();
			assertFails(() -> check(context, "ShelfJobs.print", "a")).hasMessageContaining("Bean 'printer' is a mock");
		});
	}

	@Test
	void checkWhenMockIsReplacementWithReasonPasses() {
		this.application.withBean("printer", Printer.class, () -> Mockito.mock(Printer.class))
			.run((context) -> IdempotenceCheck.in(context)
				.replaced(Printer.class, "no printer in the build")
				.check(JobRequest.named("ShelfJobs.put", "a"), context.getBean(Shelf.class)::books));
	}

	@ParameterizedTest
	@ValueSource(strings = { "", " " })
	void replacedWhenReasonIsEmptyThrows(String reason) {
		this.application.run((context) -> {
			IdempotenceCheck check = IdempotenceCheck.in(context);
			assertThatIllegalArgumentException().isThrownBy(() -> check.replaced(Printer.class, reason));
			assertThatIllegalArgumentException().isThrownBy(() -> check.mayChangeNothing(reason));
		});
	}

	@Test
	void runsWhenLessThanTwoThrows() {
		this.application.run((context) -> assertThatIllegalArgumentException()
			.isThrownBy(() -> IdempotenceCheck.in(context).runs(1)));
	}

	@Test
	void checkRunsAsWorkersWouldThatGetTheSameJob() {
		this.application.withPropertyValues("steadyjobs.retry.max=7").run((context) -> {
			IdempotenceCheck.in(context)
				.runs(4)
				.mayChangeNothing("only contexts are looked at")
				.check(JobRequest.named("ShelfJobs.context", "a").meta("tenant", "blue").queue("high"), () -> "");
			List<JobContext> runs = context.getBean(Shelf.class).contexts;
			assertThat(runs).extracting(JobContext::attempt).containsExactly(1, 1, 2, 3);
			assertThat(runs).extracting(JobContext::fencingToken).containsExactly(1L, 2L, 3L, 4L);
			assertThat(runs).extracting(JobContext::id).hasSize(4).containsOnly(runs.get(0).id());
			assertThat(runs.get(0).id()).matches("[0-9a-f]{24}");
			assertThat(runs).allSatisfy((run) -> {
				assertThat(run.maxAttempts()).isEqualTo(8);
				assertThat(run.queue()).isEqualTo("high");
				assertThat(run.meta()).containsEntry("tenant", "blue");
				assertThat(run.arguments(String.class)).isEqualTo("a");
			});
		});
	}

	@Test
	@DisplayName("GL-05: the arguments are bound for each run")
	void checkGivesEachRunItsOwnCopyOfTheArguments() {
		List<String> given = new ArrayList<>(List.of("a"));
		this.application.run((context) -> IdempotenceCheck.in(context)
			.check(JobRequest.named("ShelfJobs.drain", given), context.getBean(Shelf.class)::books));
		assertThat(given).containsExactly("a");
	}

	@Test
	void checkRunsOutsideOfWhatTheTestKeepsWithItsThread() {
		ThreadLocal<String> user = new ThreadLocal<>();
		user.set("tester");
		Set<String> seen = new HashSet<>();
		this.application.withBean(ServerInterceptor.class, () -> (job, chain) -> {
			seen.add(String.valueOf(user.get()));
			chain.proceed();
		}).run((context) -> check(context, "ShelfJobs.put", "a"));
		assertThat(seen).containsExactly("null");
	}

	@Test
	void checkWhenServerInterceptorSkipsJobFails() {
		this.application.withBean(ServerInterceptor.class, () -> (job, chain) -> {
		})
			.run((context) -> assertFails(() -> check(context, "ShelfJobs.put", "a"))
				.hasMessageContaining("did not reach the job: a ServerInterceptor"));
	}

	@Test
	void checkRunsServerInterceptorsInOrderAroundTheJob() {
		List<String> order = new ArrayList<>();
		this.application.withBean("inner", ServerInterceptor.class, () -> noting("inner", 2, order))
			.withBean("outer", ServerInterceptor.class, () -> noting("outer", 1, order))
			.run((context) -> check(context, "ShelfJobs.put", "a"));
		assertThat(order).containsExactly("outer", "inner", "after inner", "after outer", "outer", "inner",
				"after inner", "after outer");
	}

	private static ServerInterceptor noting(String name, int position, List<String> notes) {
		class Noting implements ServerInterceptor, Ordered {

			@Override
			public void intercept(JobContext job, Chain chain) throws Exception {
				notes.add(name);
				chain.proceed();
				notes.add("after " + name);
			}

			@Override
			public int getOrder() {
				return position;
			}

		}
		return new Noting();
	}

	@Test
	void checkRunsClientInterceptors() {
		this.application
			.withBean(ClientInterceptor.class,
					() -> (request, chain) -> chain
						.proceed(JobRequest.named("ShelfJobs.put", "changed").options(request.options())))
			.run((context) -> {
				check(context, "ShelfJobs.put", "a");
				assertThat(context.getBean(Shelf.class).books).containsOnlyKeys("changed");
			});
	}

	@Test
	void checkWhenClientInterceptorStopsJobFails() {
		this.application.withBean(ClientInterceptor.class, () -> (request, chain) -> chain.stop())
			.run((context) -> assertFails(() -> check(context, "ShelfJobs.put", "a"))
				.hasMessageContaining("A ClientInterceptor of the application stopped the job"));
	}

	private static void check(ApplicationContext context, String job, Object argument) throws Exception {
		Callable<Object> books = () -> context.getBean(Shelf.class).books();
		IdempotenceCheck.in(context).check(JobRequest.named(job, argument), books);
	}

	private static AbstractThrowableAssert<?, ? extends Throwable> assertFails(ThrowingCallable check) {
		return assertThatThrownBy(check).isExactlyInstanceOf(AssertionError.class);
	}

	/**
	 * The state that jobs change.
	 */
	static class Shelf {

		private final Map<String, Integer> books = new TreeMap<>();

		private final transient List<JobContext> contexts = new ArrayList<>();

		Map<String, Integer> books() {
			return this.books;
		}

	}

	/**
	 * A collaborator of the jobs.
	 */
	static class Printer {

		void print(String text) {
			throw new UnsupportedOperationException("out of ink");
		}

	}

	@Configuration(proxyBeanMethods = false)
	static class LazyMock {

		@Bean
		@Lazy
		Printer printer() {
			return Mockito.mock(Printer.class);
		}

	}

	/**
	 * Jobs of various kinds.
	 */
	static class ShelfJobs {

		private final Shelf shelf;

		@Autowired(required = false)
		@Lazy
		private Printer printer;

		private int runs;

		ShelfJobs(Shelf shelf) {
			this.shelf = shelf;
		}

		@Job
		@Idempotent
		void put(String book) {
			this.shelf.books.put(book, 1);
		}

		@Job
		@Idempotent
		void fill() {
			this.shelf.books.put("filled", 1);
		}

		@Job
		@Idempotent
		void add(String book) {
			this.shelf.books.merge(book, 1, Integer::sum);
		}

		@Job
		@Idempotent
		void addWhenRetried(String book, JobContext job) {
			this.shelf.books.merge(book, job.attempt(), Math::max);
		}

		@Job
		@Idempotent
		void nothing(String book) {
		}

		@Job
		@Idempotent
		void fail(String when) {
			this.shelf.books.put("begun", 1);
			if (++this.runs == Integer.parseInt(when)) {
				throw new IllegalStateException("dropped");
			}
		}

		@Job
		@Idempotent
		void discard(String when) {
			this.shelf.books.put("begun", 1);
			if (++this.runs == Integer.parseInt(when)) {
				throw new DiscardJobException("done already");
			}
		}

		@Job
		@Idempotent
		void snooze(String when) {
			this.shelf.books.put("begun", 1);
			if (++this.runs == Integer.parseInt(when)) {
				throw new SnoozeJobException(Duration.ofHours(1));
			}
		}

		@Job(discards = NoSuchElementException.class)
		@Idempotent
		void discardByType(String when) {
			this.shelf.books.put("begun", 1);
			if (++this.runs == Integer.parseInt(when)) {
				throw new IllegalStateException(new NoSuchElementException("gone"));
			}
		}

		@Job
		@NotIdempotent("ashes stay")
		void burn(String book) {
			this.shelf.books.remove(book);
		}

		@Job
		void undeclared(String book) {
		}

		@Job
		@Idempotent
		void print(String book) {
			this.printer.print(book);
		}

		@Job
		@Idempotent
		void context(String book, JobContext job) {
			this.shelf.contexts.add(job);
		}

		@Job
		@Idempotent
		void drain(List<String> books) {
			this.shelf.books.put(books.remove(0), books.size());
		}

	}

}
