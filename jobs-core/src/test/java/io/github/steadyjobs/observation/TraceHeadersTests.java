package io.github.steadyjobs.observation;

import java.util.HashMap;
import java.util.Map;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.slf4j.LoggerFactory;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link TraceHeaders}.
 */
class TraceHeadersTests {

	private static final String PARENT = "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01";

	private final Logger logger = (Logger) LoggerFactory.getLogger(TraceHeaders.class);

	private final ListAppender<ILoggingEvent> log = new ListAppender<>();

	@BeforeEach
	void listen() {
		this.logger.setLevel(Level.DEBUG);
		this.log.start();
		this.logger.addAppender(this.log);
	}

	@AfterEach
	void listenNoMore() {
		this.logger.detachAppender(this.log);
		this.logger.setLevel(null);
	}

	@Test
	void headersPass() {
		Map<String, String> meta = new HashMap<>();
		TraceHeaders.set(meta, "traceparent", PARENT);
		TraceHeaders.set(meta, "b3", "0");
		assertThat(TraceHeaders.get(meta, "traceparent")).isEqualTo(PARENT);
		assertThat(TraceHeaders.get(meta, "b3")).isEqualTo("0");
		assertThat(TraceHeaders.get(meta, "baggage")).isNull();
		assertThat(this.log.list).isEmpty();
	}

	@ParameterizedTest
	@ValueSource(strings = { "", "x", "00-short", "0", "00-4bf92f3577b34da6a3ce929d0e0e4736 00f067aa0ba902b7 01",
			PARENT + "\n", PARENT + "\u00e9" })
	void valueThatIsNoHeaderIsIgnoredAtDebugLevel(String value) {
		assertThat(TraceHeaders.get(Map.of("traceparent", value), "traceparent")).isNull();
		assertThat(this.log.list).singleElement().satisfies((line) -> {
			assertThat(line.getLevel()).isEqualTo(Level.DEBUG);
			assertThat(line.getFormattedMessage()).contains("'traceparent' is ignored");
		});
	}

	@Test
	void valueThatIsTooLongIsNeitherReadNorWritten() {
		String value = "x".repeat(10_240);
		Map<String, String> meta = new HashMap<>();
		TraceHeaders.set(meta, "baggage", value);
		assertThat(meta).isEmpty();
		assertThat(TraceHeaders.get(Map.of("baggage", value), "baggage")).isNull();
		assertThat(this.log.list).hasSize(2).allMatch((line) -> line.getFormattedMessage().length() < 200);
	}

}
