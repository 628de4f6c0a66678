package io.github.steadyjobs.server;

import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import java.util.stream.Stream;

import io.github.steadyjobs.JobStoreException;
import io.github.steadyjobs.JobStoreException.Reason;
import io.github.steadyjobs.redis.JobScript;
import io.github.steadyjobs.support.RedisAndClusterTest;
import io.github.steadyjobs.support.TestRedis;
import org.junit.jupiter.api.AfterEach;

import static io.github.steadyjobs.support.Reasons.reason;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * The common base of the tests of all scripts: a new queue for each test, and an
 * invariant that is checked after each test.
 */
@RedisAndClusterTest
public abstract class AbstractScriptTests {

	/**
	 * The keys that determine what happens to jobs, for scripts that need all of them.
	 */
	private static final String[] FATE = { "payloads", "ready", "scheduled", "retries", "parked", "lockof",
			"gathered" };

	protected final ScriptFixture queue;

	public AbstractScriptTests(TestRedis redis) {
		this.queue = new ScriptFixture(redis);
	}

	@AfterEach
	public void everyIdIsInOnePlace() {
		this.queue.assertOnePlaceEach();
	}

	/**
	 * Call a script twice, and check that the second call changes nothing.
	 */
	protected void assertRepeatable(Runnable call) {
		call.run();
		Map<String, Object> once = this.queue.contents();
		call.run();
		assertThat(this.queue.contents()).isEqualTo(once);
	}

	/**
	 * Give each key of a script in turn a value of the wrong type, each time in a new
	 * queue. If the script needs the key, it must fail and leave everything unchanged.
	 * Otherwise it must do its work.
	 * @param given prepares a queue in which the script uses all keys that it needs
	 * @param call calls the script
	 * @param needed the keys that the script needs
	 */
	protected void assertRefusesWrongTypes(JobScript script, Consumer<ScriptFixture> given,
			Consumer<ScriptFixture> call, String... needed) {
		assertThat(script.keys()).contains(needed);
		for (String key : script.keys()) {
			if (List.of(needed).contains(key)) {
				assertRefusesWrongType(key, given, call);
				continue;
			}
			ScriptFixture spoilt = spoilt(given, key);
			Map<String, Object> before = spoilt.contents();
			assertThatCode(() -> call.accept(spoilt)).as("%s with a wrong type at '%s'", script, key)
				.doesNotThrowAnyException();
			assertThat(spoilt.contents()).as("effect of %s without '%s'", script, key).isNotEqualTo(before);
		}
	}

	protected static String[] keysOf(JobScript script) {
		return script.keys().toArray(String[]::new);
	}

	protected static String[] fate(String... others) {
		return Stream.concat(Stream.of(FATE), Stream.of(others)).toArray(String[]::new);
	}

	/**
	 * Give a key that a script needs a value of the wrong type. The script must fail and
	 * leave everything unchanged.
	 */
	protected void assertRefusesWrongType(String key, Consumer<ScriptFixture> given, Consumer<ScriptFixture> call) {
		ScriptFixture spoilt = spoilt(given, key);
		Map<String, Object> before = spoilt.contents();
		assertThatExceptionOfType(JobStoreException.class).as("wrong type at '%s'", key)
			.isThrownBy(() -> call.accept(spoilt))
			.has(reason(Reason.DAMAGED))
			.withMessageContaining("'%s' is a ", spoilt.key(key))
			.withMessageContaining("WRONGTYPE");
		assertThat(spoilt.contents()).as("wrong type at '%s'", key).isEqualTo(before);
	}

	/**
	 * Check that a script refuses a call with more items than it accepts.
	 */
	protected void assertRefusesSoMany(JobScript script, Object... arguments) {
		Map<String, Object> before = this.queue.contents();
		assertThatExceptionOfType(JobStoreException.class).isThrownBy(() -> this.queue.run(script, arguments))
			.withMessageContaining("at most")
			.withMessageContaining("nothing was changed");
		assertThat(this.queue.contents()).isEqualTo(before);
	}

	private ScriptFixture spoilt(Consumer<ScriptFixture> given, String key) {
		ScriptFixture spoilt = this.queue.sibling();
		given.accept(spoilt);
		spoilt.spoil(spoilt.key(key));
		return spoilt;
	}

}
