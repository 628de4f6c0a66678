package io.github.steadyjobs.redis;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;
import java.util.stream.IntStream;

import io.github.steadyjobs.JobStoreUnavailableException;
import io.github.steadyjobs.support.RedisTest;
import io.github.steadyjobs.support.TcpRelay;
import io.github.steadyjobs.support.TestRedis;
import io.lettuce.core.RedisClient;
import io.lettuce.core.api.StatefulConnection;
import io.lettuce.core.codec.ByteArrayCodec;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

import org.springframework.util.Assert;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * Tests for {@link HeldConnection}.
 */
@RedisTest
class HeldConnectionIntegrationTests {

	private final TcpRelay relay;

	private final RedisClient client;

	private final AtomicInteger attempts = new AtomicInteger();

	private volatile String present = "former";

	private HeldConnection held;

	HeldConnectionIntegrationTests(TestRedis redis) {
		this.relay = TcpRelay.to(redis);
		this.client = (RedisClient) this.relay.connectionFactory(Duration.ofSeconds(5)).getRequiredNativeClient();
		this.held = hold(this::connect);
	}

	@AfterEach
	void close() {
		this.held.close();
		this.relay.close();
	}

	@Test
	void getWhenManyAskOpensOneConnection() {
		assertThat(this.attempts).hasValue(0);
		List<CompletableFuture<StatefulConnection<byte[], byte[]>>> asked = IntStream.range(0, 20)
			.mapToObj((i) -> CompletableFuture.supplyAsync(this.held::get))
			.toList();
		assertThat(asked.stream().map(CompletableFuture::join).distinct()).hasSize(1);
		assertThat(this.attempts).hasValue(1);
		assertThat(this.held.isOpen()).isTrue();
	}

	@Test
	void getWhenConnectionWasCutReturnsOneThatWorks() {
		this.held.get();
		this.relay.cut();
		PlainCommands commands = new PlainCommands(this.held, Duration.ofSeconds(5));
		assertThat(commands.info("server")).contains("process_id");
	}

	@Test
	void getWhenConnectionWasDiscardedOpensAnother() {
		StatefulConnection<byte[], byte[]> first = this.held.get();
		this.held.discard();
		assertThat(this.held.isOpen()).isFalse();
		assertThat(this.held.get()).isNotSameAs(first);
		Awaitility.await().until(() -> this.relay.open() == 1);
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
	void discardWhenNothingIsOpenDoesNothing() {
		this.held.discard();
		assertThat(this.attempts).hasValue(0);
	}

	@Test
	void getWhenServerRefusesTurnsManyAwayWithFewAttempts() {
		this.relay.refuse();
		for (int i = 0; i < 1000; i++) {
			assertThatExceptionOfType(JobStoreUnavailableException.class).isThrownBy(this.held::get)
				.withMessageContaining("nothing was sent");
		}
		assertThat(this.attempts.get()).isLessThan(1000);
	}

	@Test
	void getWhenServerIsBackOpensConnection() {
		this.relay.refuse();
		assertThatExceptionOfType(JobStoreUnavailableException.class).isThrownBy(this.held::get);
		this.relay.pass();
		Awaitility.await()
			.ignoreExceptionsInstanceOf(JobStoreUnavailableException.class)
			.until(() -> this.held.get().isOpen());
	}

	@Test
	void getWhenOpeningTakesLongGivesUpAndLaterUsesWhatWasOpened() {
		CountDownLatch patience = new CountDownLatch(1);
		this.held = hold(() -> {
			awaitUninterrupted(patience);
			return connect();
		});
		assertThatExceptionOfType(JobStoreUnavailableException.class).isThrownBy(this.held::get);
		patience.countDown();
		Awaitility.await().until(this.held::isOpen);
		this.held.get();
		assertThat(this.attempts).hasValue(1);
	}

	@Test
	void getWhenInterruptedSaysSo() {
		Thread.currentThread().interrupt();
		assertThatExceptionOfType(JobStoreUnavailableException.class).isThrownBy(this.held::get);
		assertThat(Thread.interrupted()).isTrue();
	}

	@Test
	void closeWhenOpenIsUnderWayClosesWhatIsOpened() {
		CountDownLatch opening = new CountDownLatch(1);
		CountDownLatch closed = new CountDownLatch(1);
		this.held = hold(() -> {
			StatefulConnection<byte[], byte[]> opened = connect();
			opening.countDown();
			awaitUninterrupted(closed);
			return opened;
		});
		CompletableFuture.supplyAsync(this.held::get);
		awaitUninterrupted(opening);
		this.held.close();
		closed.countDown();
		Awaitility.await().until(() -> this.relay.open() == 0);
		assertThat(this.held.isOpen()).isFalse();
	}

	@Test
	void getWhenClosedOpensAnew() {
		this.held.get();
		this.held.close();
		Awaitility.await().until(() -> this.relay.open() == 0);
		assertThat(this.held.get().isOpen()).isTrue();
	}

	@Test
	void getWhenClientWasReplacedDoesNotWaitForWhatTheFormerAttempted() {
		// A client that is shut down may leave an attempt without an end.
		CountDownLatch ended = new CountDownLatch(1);
		CountDownLatch hanging = new CountDownLatch(1);
		this.held = hold(() -> {
			if (this.present.equals("former")) {
				hanging.countDown();
				awaitUninterrupted(ended);
			}
			return connect();
		});
		CompletableFuture.supplyAsync(this.held::get);
		awaitUninterrupted(hanging);
		this.present = "new";
		assertThat(this.held.get().isOpen()).isTrue();
		ended.countDown();
		Awaitility.await().until(() -> this.attempts.get() == 2 && this.relay.open() == 1);
	}

	@Test
	void getWhenClientWasReplacedDoesNotPauseAfterAFailureOfTheFormer() {
		this.held = hold(() -> {
			Assert.state(this.present.equals("new"), "Stopped");
			return connect();
		});
		assertThatExceptionOfType(JobStoreUnavailableException.class).isThrownBy(this.held::get);
		this.present = "new";
		assertThat(this.held.get().isOpen()).isTrue();
	}

	private HeldConnection hold(Supplier<StatefulConnection<byte[], byte[]>> opener) {
		return new HeldConnection("test", opener, () -> this.present, () -> "localhost:1");
	}

	private StatefulConnection<byte[], byte[]> connect() {
		this.attempts.incrementAndGet();
		return this.client.connect(ByteArrayCodec.INSTANCE);
	}

	private static void awaitUninterrupted(CountDownLatch latch) {
		try {
			latch.await();
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
		}
	}

}
