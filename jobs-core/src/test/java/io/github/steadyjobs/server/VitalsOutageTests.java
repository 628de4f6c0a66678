package io.github.steadyjobs.server;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.slf4j.LoggerFactory;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for the reports of {@link Vitals} about an outage (SK-32).
 */
@DisplayName("SK-32: one line is logged when Redis becomes unavailable, and one line when it is available again")
class VitalsOutageTests {

	private final ListAppender<ILoggingEvent> log = new ListAppender<>();

	private final Vitals vitals = new Vitals(null, null, (failure) -> {
	}, (version) -> {
	}, Duration.ofMinutes(1));

	@BeforeEach
	void listen() {
		this.log.start();
		((Logger) LoggerFactory.getLogger(Vitals.class)).addAppender(this.log);
	}

	@AfterEach
	void stopListening() {
		((Logger) LoggerFactory.getLogger(Vitals.class)).detachAppender(this.log);
	}

	@Test
	void succeededWhenNothingFailedSaysNothing() {
		this.vitals.succeeded("q");
		assertThat(this.log.list).isEmpty();
	}

	@Test
	void failedWhenCalledOftenSaysItOnce() {
		for (int i = 0; i < 5; i++) {
			this.vitals.failed("q", new IllegalStateException("number " + i));
		}
		assertThat(this.log.list).singleElement().satisfies((event) -> {
			assertThat(event.getLevel()).isEqualTo(Level.WARN);
			assertThat(event.getFormattedMessage()).contains("number 0");
			assertThat(event.getThrowableProxy()).isNull();
		});
	}

	@Test
	void succeededWhenCalledOftenAfterAFailureSaysItOnce() {
		this.vitals.failed("q", new IllegalStateException("a"));
		this.vitals.succeeded("q");
		this.vitals.succeeded("q");
		assertThat(levels()).containsExactly(Level.WARN, Level.INFO);
		assertThat(this.log.list.get(1).getFormattedMessage()).contains("Redis is back after 0 s");
	}

	@Test
	void failedWhenRedisHadComeBackSaysItAgain() {
		this.vitals.failed("q", new IllegalStateException("a"));
		this.vitals.succeeded("q");
		this.vitals.failed("q", new IllegalStateException("b"));
		assertThat(levels()).containsExactly(Level.WARN, Level.INFO, Level.WARN);
	}

	@Test
	void succeededWhenOthersStillFailSaysItWithTheLastOne() {
		this.vitals.failed("q", new IllegalStateException("a"));
		this.vitals.failed("p", new IllegalStateException("b"));
		this.vitals.succeeded("q");
		this.vitals.failed("q", new IllegalStateException("c"));
		this.vitals.succeeded("p");
		assertThat(levels()).containsExactly(Level.WARN);
		this.vitals.succeeded("q");
		assertThat(levels()).containsExactly(Level.WARN, Level.INFO);
	}

	@Test
	void failedWhenManyThreadsNoticeAtOnceSaysItOnce() throws InterruptedException {
		CountDownLatch start = new CountDownLatch(1);
		ExecutorService threads = Executors.newFixedThreadPool(8);
		for (int i = 0; i < 8; i++) {
			threads.execute(() -> {
				try {
					start.await();
				}
				catch (InterruptedException ex) {
					Thread.currentThread().interrupt();
				}
				this.vitals.failed("q", new IllegalStateException("a"));
			});
		}
		start.countDown();
		threads.shutdown();
		assertThat(threads.awaitTermination(30, TimeUnit.SECONDS)).isTrue();
		assertThat(levels()).containsExactly(Level.WARN);
	}

	private List<Level> levels() {
		return this.log.list.stream().map(ILoggingEvent::getLevel).toList();
	}

}
