package io.github.steadyjobs.redis;

import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;
import java.util.stream.IntStream;

import io.github.steadyjobs.JobStoreTimeoutException;
import io.github.steadyjobs.JobStoreUnavailableException;
import io.github.steadyjobs.support.RedisTest;
import io.github.steadyjobs.support.TcpRelay;
import io.github.steadyjobs.support.TestRedis;
import io.lettuce.core.api.StatefulConnection;
import io.lettuce.core.protocol.CommandType;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * Tests for {@link HeldConnection} (SK-12).
 */
@RedisTest
class HeldConnectionIntegrationTests {

	private static final Duration LONG = Duration.ofSeconds(30);

	private final TcpRelay relay;

	private final OwnClient client;

	private final AtomicInteger attempts = new AtomicInteger();

	private HeldConnection held;

	HeldConnectionIntegrationTests(TestRedis redis) {
		this.relay = TcpRelay.to(redis);
		this.client = new OwnClient(this.relay.connectionFactory(LONG));
		this.held = hold(this::connect);
	}

	@AfterEach
	void close() {
		this.held.close();
		this.client.close();
		this.relay.close();
	}

	@Test
	void connectionWhenManyAskOpensOne() {
		assertThat(this.attempts).hasValue(0);
		List<CompletableFuture<StatefulConnection<byte[], byte[]>>> asked = IntStream.range(0, 20)
			.mapToObj((i) -> this.held.connection())
			.toList();
		assertThat(asked.stream().map(CompletableFuture::join).distinct()).hasSize(1);
		assertThat(this.attempts).hasValue(1);
		assertThat(this.held.get().isOpen()).isTrue();
	}

	@Test
	void connectionWhenManyAskIsGivenInTheirOrder() {
		CompletableFuture<StatefulConnection<byte[], byte[]>> opened = new CompletableFuture<>();
		this.held = hold(() -> opened);
		List<Integer> order = new CopyOnWriteArrayList<>();
		IntStream.range(0, 20).forEach((i) -> this.held.connection().thenRun(() -> order.add(i)));
		opened.complete(connect().join());
		assertThat(order).containsExactlyElementsOf(IntStream.range(0, 20).boxed().toList());
	}

	@Test
	void connectionWhenOpenedAtOnceLetsLaterSendersWait() {
		StatefulConnection<byte[], byte[]> connection = connect().join();
		this.held = hold(() -> CompletableFuture.completedFuture(connection));
		List<String> order = new CopyOnWriteArrayList<>();
		this.held.connection((first, failure) -> {
			assertThat(this.held.present()).isNull();
			this.held.connection((second, otherFailure) -> order.add("second"));
			order.add("first");
		});
		assertThat(order).containsExactly("first", "second");
		assertThat(this.held.present()).isSameAs(connection);
	}

	@Test
	void sentIsDoneOnlyAfterTheCommandWasPassedOn() {
		RedisCall call = new RedisCall((byText) -> new CommandBytes(CommandType.PING), LONG, null, new byte[0]);
		CompletableFuture<Void> sent = call.sent();
		List<Boolean> done = new CopyOnWriteArrayList<>();
		this.held = hold(() -> connect().thenApply((connection) -> watched(connection, "dispatch", () -> {
			done.add(sent.isDone());
		})));
		call.sendTo(this.held);
		assertThat(sent).succeedsWithin(LONG);
		assertThat(done).containsExactly(false);
	}

	@Test
	void sendWhenConnectionWasCutSendsAgain() {
		this.held.get();
		this.relay.loseReplyTo("PING");
		assertThat(ping()).succeedsWithin(LONG);
		assertThat(this.relay.lostReplies()).isEqualTo(1);
		assertThat(this.attempts).hasValue(2);
	}

	@Test
	void sendWhenServerIsAwayAfterwardsIsInDoubt() {
		this.held.get();
		this.relay.onLostReply(this.relay::refuse);
		this.relay.loseReplyTo("PING");
		assertThat(ping()).failsWithin(LONG)
			.withThrowableThat()
			.havingCause()
			.isInstanceOf(JobStoreTimeoutException.class);
	}

	@Test
	void sendWhenServerIsAwayIsNotSent() {
		this.relay.refuse();
		assertThat(ping()).failsWithin(LONG)
			.withThrowableThat()
			.havingCause()
			.isInstanceOf(JobStoreUnavailableException.class)
			.withMessageContaining("nothing was sent");
	}

	@Test
	void sendWhenNobodyAnswersReplacesConnection() {
		StatefulConnection<byte[], byte[]> silent = this.held.get();
		this.relay.swallow();
		assertThat(ping(Duration.ofMillis(100))).failsWithin(LONG)
			.withThrowableThat()
			.havingCause()
			.isInstanceOf(JobStoreTimeoutException.class);
		assertThat(this.held.isPresent(silent)).isFalse();
		this.relay.pass();
		assertThat(ping()).succeedsWithin(LONG);
	}

	@Test
	void sendWhenCommandCannotBeMadeFailsAndThrowsNothing() {
		RedisCall call = new RedisCall((byText) -> {
			throw new OutOfMemoryError("of a test");
		}, LONG, null, new byte[0]);
		call.sendTo(this.held);
		assertThat(call).failsWithin(LONG)
			.withThrowableThat()
			.havingCause()
			.isInstanceOf(JobStoreTimeoutException.class)
			.havingRootCause()
			.withMessage("of a test");
		assertThat(ping()).succeedsWithin(LONG);
	}

	@Test
	void discardFailsWhatIsUnderWayAndOpensAnother() {
		StatefulConnection<byte[], byte[]> first = this.held.get();
		this.relay.swallow();
		CompletableFuture<List<Object>> ping = ping();
		Awaitility.await().until(() -> this.relay.swallowed() > 0);
		this.held.discard(first);
		assertThat(this.held.present()).isNull();
		assertThat(ping).failsWithin(LONG)
			.withThrowableThat()
			.havingCause()
			.isInstanceOf(JobStoreTimeoutException.class);
		this.relay.pass();
		assertThat(this.held.get()).isNotSameAs(first);
		assertThat(first.isOpen()).isFalse();
	}

	@Test
	void discardWhenAnotherWasOpenedSinceKeepsThat() {
		StatefulConnection<byte[], byte[]> first = this.held.get();
		this.held.discard(first);
		StatefulConnection<byte[], byte[]> second = this.held.get();
		this.held.discard(first);
		assertThat(this.held.get()).isSameAs(second);
	}

	@Test
	void connectionWhenServerRefusesTurnsManyAwayWithFewAttempts() {
		this.relay.refuse();
		long begun = System.nanoTime();
		for (int i = 0; i < 1000; i++) {
			assertThatExceptionOfType(JobStoreUnavailableException.class).isThrownBy(this.held::get)
				.withMessageContaining("nothing was sent");
		}
		// One attempt is made immediately, and at most one more after each pause. The
		// number of pauses depends on how long this test takes.
		long pauses = (System.nanoTime() - begun) / HeldConnection.PAUSE.toNanos();
		assertThat((long) this.attempts.get()).isBetween(1L, 1 + pauses);
	}

	@Test
	void connectionWhenServerIsBackIsOpened() {
		this.relay.refuse();
		assertThatExceptionOfType(JobStoreUnavailableException.class).isThrownBy(this.held::get);
		this.relay.pass();
		Awaitility.await()
			.ignoreExceptionsInstanceOf(JobStoreUnavailableException.class)
			.until(() -> this.held.get().isOpen());
	}

	@Test
	void connectionWhenAttemptCannotEvenBeginIsTriedAgain() {
		this.held = hold(() -> {
			if (this.attempts.incrementAndGet() == 1) {
				throw new OutOfMemoryError("unable to create native thread");
			}
			return connect();
		});
		assertThatExceptionOfType(JobStoreUnavailableException.class).isThrownBy(this.held::get)
			.withMessageContaining("native thread");
		Awaitility.await()
			.ignoreExceptionsInstanceOf(JobStoreUnavailableException.class)
			.until(() -> this.held.get().isOpen());
	}

	@Test
	void connectionWhenOpeningTakesLongIsGivenUpAndLaterUsed() {
		CompletableFuture<StatefulConnection<byte[], byte[]>> opened = new CompletableFuture<>();
		this.held = new HeldConnection(() -> {
			this.attempts.incrementAndGet();
			return opened;
		}, () -> "localhost:1", Duration.ofMillis(500));
		assertThatExceptionOfType(JobStoreUnavailableException.class).isThrownBy(this.held::get);
		this.client.connect().thenAccept(opened::complete);
		assertThat(this.held.get().isOpen()).isTrue();
		assertThat(this.attempts).hasValue(1);
	}

	@Test
	void connectionWhenAttemptNeverEndsIsTriedAgain() {
		CompletableFuture<StatefulConnection<byte[], byte[]>> hanging = new CompletableFuture<>();
		this.held = new HeldConnection(() -> (this.attempts.incrementAndGet() == 1) ? hanging : this.client.connect(),
				() -> "localhost:1", Duration.ofMillis(100));
		Awaitility.await()
			.ignoreExceptionsInstanceOf(JobStoreUnavailableException.class)
			.until(() -> this.held.get().isOpen());
		this.client.connect().thenAccept(hanging::complete).join();
		// The connection that the first attempt finally opens is no longer needed, so it
		// is closed.
		Awaitility.await().until(() -> this.relay.open() == 1);
	}

	@Test
	void getWhenInterruptedSaysSo() {
		this.held = hold(CompletableFuture::new);
		Thread.currentThread().interrupt();
		assertThatExceptionOfType(JobStoreUnavailableException.class).isThrownBy(this.held::get)
			.withMessageContaining("nterrupted");
		assertThat(Thread.interrupted()).isTrue();
	}

	@Test
	void closeWhenOpenIsUnderWayClosesWhatIsOpened() {
		CompletableFuture<StatefulConnection<byte[], byte[]>> opened = new CompletableFuture<>();
		this.held = hold(() -> opened);
		CompletableFuture<StatefulConnection<byte[], byte[]>> asked = this.held.connection();
		this.held.close();
		assertThat(asked).isCompletedExceptionally();
		this.client.connect().thenAccept(opened::complete).join();
		Awaitility.await().until(() -> this.relay.open() == 0);
		assertThat(this.held.present()).isNull();
	}

	@Test
	void connectionWhenClosedIsOpenedAnew() {
		this.held.get();
		this.held.close();
		Awaitility.await().until(() -> this.relay.open() == 0);
		assertThat(this.held.get().isOpen()).isTrue();
	}

	@Test
	void closeAndDiscardHoldNoLockThatTheNetworkNeeds() {
		List<Boolean> locked = new CopyOnWriteArrayList<>();
		this.held = hold(() -> connect()
			.thenApply((connection) -> watched(connection, "close", () -> locked.add(Thread.holdsLock(this.held)))));
		this.held.discard(this.held.get());
		this.held.get();
		this.held.close();
		assertThat(locked).hasSize(2).containsOnly(false);
	}

	/** Watch the calls of all methods whose names begin with a prefix. */
	@SuppressWarnings("unchecked")
	private StatefulConnection<byte[], byte[]> watched(StatefulConnection<byte[], byte[]> connection, String prefix,
			Runnable called) {
		return (StatefulConnection<byte[], byte[]>) Proxy.newProxyInstance(getClass().getClassLoader(),
				new Class<?>[] { StatefulConnection.class }, (proxy, method, args) -> {
					if (method.getName().startsWith(prefix)) {
						called.run();
					}
					return method.invoke(connection, args);
				});
	}

	private HeldConnection hold(Supplier<CompletionStage<StatefulConnection<byte[], byte[]>>> opener) {
		return new HeldConnection(opener, () -> "localhost:1", HeldConnection.PATIENCE);
	}

	private CompletableFuture<StatefulConnection<byte[], byte[]>> connect() {
		this.attempts.incrementAndGet();
		return this.client.connect();
	}

	private CompletableFuture<List<Object>> ping() {
		return ping(LONG);
	}

	private CompletableFuture<List<Object>> ping(Duration timeout) {
		RedisCall call = new RedisCall((byText) -> new CommandBytes(CommandType.PING), timeout, null, new byte[0]);
		call.sendTo(this.held);
		return call;
	}

}
