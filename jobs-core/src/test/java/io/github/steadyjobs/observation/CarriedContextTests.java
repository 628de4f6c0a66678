package io.github.steadyjobs.observation;

import java.util.List;
import java.util.Map;
import java.util.UUID;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import io.micrometer.context.ContextRegistry;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.slf4j.LoggerFactory;
import org.slf4j.MDC;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

/**
 * Tests for {@link CarriedContext}.
 */
class CarriedContextTests {

	private final ThreadLocal<@Nullable Object> account = new ThreadLocal<>();

	private final Logger logger = (Logger) LoggerFactory.getLogger(CarriedContext.class);

	private final ListAppender<ILoggingEvent> log = new ListAppender<>();

	private final CarriedContext context = new CarriedContext(List.of("tenant", "account"));

	@BeforeEach
	void register() {
		ContextRegistry.getInstance()
			.registerThreadLocalAccessor("account", this.account::get, this.account::set, this.account::remove);
		this.log.start();
		this.logger.addAppender(this.log);
	}

	@AfterEach
	void remove() {
		ContextRegistry.getInstance().removeThreadLocalAccessor("account");
		this.logger.detachAppender(this.log);
		this.account.remove();
		MDC.clear();
	}

	@Test
	void capturesListedKeysOnly() {
		MDC.put("tenant", "acme");
		MDC.put("secret", "x");
		// For this key, the accessor takes precedence over the MDC.
		MDC.put("account", "of the log");
		this.account.set("a-1");
		assertThat(this.context.capture()).containsExactly(Map.entry("tenant", "acme"), Map.entry("account", "a-1"));
		assertThat(new CarriedContext(List.of()).capture()).isEmpty();
	}

	@Test
	void runHasTheValuesAndTheThreadHasNoneAfterIt() throws Exception {
		Map<String, String> meta = Map.of("tenant", "acme", "account", "a-1", "other", "x");
		this.context.intercept(RunningJob.with(meta), () -> {
			assertThat(MDC.get("tenant")).isEqualTo("acme");
			assertThat(MDC.get("other")).isNull();
			assertThat(this.account.get()).isEqualTo("a-1");
		});
		assertThatIllegalStateException().isThrownBy(() -> this.context.intercept(RunningJob.with(meta), () -> {
			throw new IllegalStateException();
		}));
		assertThat(MDC.get("tenant")).isNull();
		assertThat(this.account.get()).isNull();
		assertThat(MDC.get("account")).isNull();
	}

	@Test
	void threadGetsItsOwnValuesBackAfterTheRun() throws Exception {
		UUID own = UUID.randomUUID();
		MDC.put("tenant", "own");
		this.account.set(own);
		this.context.intercept(RunningJob.with(Map.of("tenant", "acme", "account", "a-1")), () -> {
			assertThat(MDC.get("tenant")).isEqualTo("acme");
			assertThat(this.account.get()).isEqualTo("a-1");
		});
		assertThat(MDC.get("tenant")).isEqualTo("own");
		assertThat(this.account.get()).isEqualTo(own);
	}

	@Test
	void valueThatIsNoStringStaysBehindWithOneWarning() {
		MDC.put("tenant", "acme");
		this.account.set(UUID.randomUUID());
		assertThat(this.context.capture()).containsOnlyKeys("tenant");
		assertThat(this.context.capture()).containsOnlyKeys("tenant");
		assertThat(warning()).contains("'account' does not travel", "no string but a java.util.UUID");
	}

	@Test
	void valueThatIsTooLongStaysBehindWithOneWarning() {
		MDC.put("tenant", "x".repeat(1025));
		assertThat(this.context.capture()).isEmpty();
		assertThat(warning()).contains("'tenant' does not travel", "more than 1024 characters").hasSizeLessThan(300);
	}

	@Test
	void accessorThatThrowsStopsNothing() throws Exception {
		ContextRegistry.getInstance().registerThreadLocalAccessor("account", () -> {
			throw new IllegalStateException("read");
		}, (value) -> {
			throw new IllegalStateException("set");
		}, () -> {
			throw new IllegalStateException("removed");
		});
		MDC.put("tenant", "acme");
		assertThat(this.context.capture()).containsOnlyKeys("tenant");
		StringBuilder ran = new StringBuilder();
		this.context.intercept(RunningJob.with(Map.of("account", "a-1")), () -> ran.append("ran"));
		assertThat(ran).hasToString("ran");
		assertThat(warning()).contains("'account' does not travel");
	}

	private String warning() {
		assertThat(this.log.list).singleElement()
			.satisfies((line) -> assertThat(line.getLevel()).isEqualTo(Level.WARN));
		return this.log.list.get(0).getFormattedMessage();
	}

}
