package io.github.steadyjobs.redis;

import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;

import io.github.steadyjobs.JobStoreDamagedException;
import io.github.steadyjobs.support.RedisAndClusterTest;
import io.github.steadyjobs.support.TestRedis;
import org.junit.jupiter.api.AfterEach;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * What the tests of all scripts share: a new queue for each test, and the rule that holds
 * after every one.
 */
@RedisAndClusterTest
abstract class AbstractScriptTests {

	protected final ScriptFixture queue;

	AbstractScriptTests(TestRedis redis) {
		this.queue = new ScriptFixture(redis);
	}

	@AfterEach
	void everyIdIsInOnePlace() {
		this.queue.assertOnePlaceEach();
	}

	/**
	 * Run a call twice; the second one finds nothing left to change.
	 */
	protected void assertRepeatable(Runnable call) {
		call.run();
		Map<String, Object> once = this.queue.contents();
		call.run();
		assertThat(this.queue.contents()).isEqualTo(once);
	}

	/**
	 * Spoil each key of a script in turn, each time in a new queue. The script has to
	 * fail and to leave everything as it was, unless it can do its work without that key.
	 * @param given makes a queue in which the script touches all of its keys
	 * @param call calls the script
	 * @param dispensable the keys without which the script goes on; those that it needs
	 * for locks only, which come last, are always among them, unless locks are all that
	 * it is about and come first
	 */
	protected void assertRefusesWrongTypes(JobScript script, Consumer<ScriptFixture> given,
			Consumer<ScriptFixture> call, String... dispensable) {
		boolean forLocks = false;
		List<byte[]> keys = this.queue.keysOf(script);
		boolean aboutLocks = name(keys.get(0)).equals("locks");
		for (byte[] key : keys) {
			String name = name(key);
			forLocks |= name.equals("locks") && !aboutLocks;
			ScriptFixture spoilt = spoilt(given, name);
			if (forLocks || List.of(dispensable).contains(name)) {
				Map<String, Object> before = spoilt.contents();
				assertThatCode(() -> call.accept(spoilt)).as("%s with wrong type at '%s'", script, name)
					.doesNotThrowAnyException();
				assertThat(spoilt.contents()).as("%s does nothing without '%s'", script, name).isNotEqualTo(before);
			}
			else {
				assertRefuses(script, name, spoilt, call);
			}
		}
	}

	/**
	 * Spoil each of the keys that a script needs for locks, as above: with a locked job
	 * it needs them all.
	 */
	protected void assertRefusesWrongTypesOfLocks(JobScript script, Consumer<ScriptFixture> given,
			Consumer<ScriptFixture> call) {
		for (String name : List.of("locks", "lockof", "again", "windows", "payloads", "working", "ready")) {
			assertRefuses(script, name, spoilt(given, name), call);
		}
	}

	private ScriptFixture spoilt(Consumer<ScriptFixture> given, String name) {
		ScriptFixture spoilt = this.queue.sibling();
		given.accept(spoilt);
		spoilt.spoil(spoilt.key(name));
		return spoilt;
	}

	private static void assertRefuses(JobScript script, String name, ScriptFixture spoilt,
			Consumer<ScriptFixture> call) {
		Map<String, Object> before = spoilt.contents();
		assertThatExceptionOfType(JobStoreDamagedException.class).as("%s with wrong type at '%s'", script, name)
			.isThrownBy(() -> call.accept(spoilt))
			.withMessageContaining("'%s' is a ", spoilt.key(name))
			.withMessageContaining("WRONGTYPE");
		assertThat(spoilt.contents()).as("%s with wrong type at '%s'", script, name).isEqualTo(before);
	}

	private static String name(byte[] key) {
		String text = new String(key, StandardCharsets.UTF_8);
		return text.substring(text.lastIndexOf(':') + 1);
	}

}
