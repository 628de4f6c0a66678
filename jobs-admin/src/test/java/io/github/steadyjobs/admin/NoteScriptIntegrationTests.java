package io.github.steadyjobs.admin;

import java.util.List;
import java.util.stream.IntStream;

import io.github.steadyjobs.JobStoreException;
import io.github.steadyjobs.JobStoreException.Reason;
import io.github.steadyjobs.redis.ScriptCall;
import io.github.steadyjobs.redis.StoreCalls;
import io.github.steadyjobs.support.RedisAndClusterTest;
import io.github.steadyjobs.support.TestRedis;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

import static io.github.steadyjobs.support.Reasons.reason;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * Tests for the script {@code note}.
 */
@RedisAndClusterTest
class NoteScriptIntegrationTests {

	private static final String BULK = "b0b0b0b0b0b0";

	private static final String PURGE = "ann\npurge\nqueue mail";

	private final TestRedis redis;

	private final StoreCalls calls;

	private final String key;

	NoteScriptIntegrationTests(TestRedis redis) {
		this.redis = redis;
		this.calls = StoreCalls.of(redis.connections(), redis.prefix());
		this.key = redis.prefix() + ":activity";
	}

	@BeforeEach
	void clear() {
		this.redis.clear();
	}

	@Test
	void noteWritesAnEntryAtTheHead() {
		long before = note(1, 1, 1, "ann\nkill\njob 1");
		long at = note(2, 2, 7, PURGE);
		assertThat(at).isBetween(before, before + 60_000);
		assertThat(entries()).containsExactly("2 %s %d %d 7 %s\n%s".formatted(id(2), at, at, id(2), PURGE),
				"1 %s %d %d 1 %s\nann\nkill\njob 1".formatted(id(1), before, before, id(1)));
	}

	@Test
	void noteWhenSentTwiceOrLateChangesNothing() {
		note(1, 1, 1, PURGE);
		bulk(2, 500, PURGE);
		List<String> before = entries();
		note(1, 1, 1, PURGE);
		bulk(2, 500, PURGE);
		assertThat(entries()).isEqualTo(before);
		IntStream.rangeClosed(3, 9).forEach((call) -> bulk(call, 500, PURGE));
		before = entries();
		IntStream.rangeClosed(2, 9).forEach((call) -> bulk(call, 500, PURGE));
		assertThat(entries()).isEqualTo(before);
		assertThat(before.get(0)).contains(" 4000 ");
	}

	@Test
	void noteOfAFurtherStepAddsToItsEntryAndMovesItToTheHead() {
		long begun = bulk(1, 500, PURGE);
		note(2, 2, 1, "bob\nkill\njob 1");
		long at = bulk(3, 20, PURGE);
		assertThat(entries()).hasSize(2)
			.first()
			.isEqualTo("3 %s %d %d 520 %s,%s\n%s".formatted(BULK, begun, at, id(1), id(3), PURGE));
		IntStream.rangeClosed(4, 12).forEach((call) -> bulk(call, 1, PURGE));
		assertThat(entries().get(0)).contains(" 529 " + id(5) + ",").contains("," + id(12) + "\n");
	}

	@Test
	void noteOfAStepByAnotherPersonIsAnotherEntry() {
		bulk(1, 500, PURGE);
		bulk(2, 20, PURGE.replace("ann", "bob"));
		bulk(3, 1, PURGE);
		assertThat(entries()).hasSize(2);
		assertThat(entries().get(0)).contains(" 501 ").endsWith(PURGE);
		assertThat(entries().get(1)).contains(" 20 ").contains("\nbob\n");
	}

	@Test
	void noteKeepsTheLastThousandEntries() {
		bulk(1, 5, PURGE);
		IntStream.rangeClosed(2, 1000).forEach((call) -> note(call, call, 1, "ann\nkill\njob " + call));
		assertThat(entries()).hasSize(1000).last().asString().endsWith(PURGE);
		bulk(1001, 6, PURGE);
		assertThat(entries()).hasSize(999 + 1).first().asString().contains(" 11 ");
		note(1002, 1002, 1, PURGE);
		assertThat(entries()).hasSize(1000).last().asString().endsWith("job 3");
		IntStream.rangeClosed(2001, 3000).forEach((call) -> note(call, call, 1, "ann\nkill\njob " + call));
		bulk(3001, 1, PURGE);
		assertThat(entries()).hasSize(1000).first().asString().contains(" 1 ").endsWith(PURGE);
	}

	@Test
	void noteBesideForeignElementsLeavesThem() {
		this.redis.template().opsForList().leftPush(this.key, "written by hand");
		bulk(1, 5, PURGE);
		bulk(2, 5, PURGE);
		assertThat(entries()).hasSize(2).last().isEqualTo("written by hand");
		assertThat(entries().get(0)).contains(" 10 ");
	}

	@Test
	void noteWhenKeyHasWrongTypeFails() {
		this.redis.template().opsForValue().set(this.key, "x");
		assertThatExceptionOfType(JobStoreException.class).isThrownBy(() -> note(1, 1, 1, PURGE))
			.has(reason(Reason.DAMAGED));
		assertThat(this.redis.template().opsForValue().get(this.key)).isEqualTo("x");
	}

	private long note(int change, int call, long count, String content) {
		return note(id(change), call, count, content, 100);
	}

	private long bulk(int call, long count, String content) {
		return note(BULK, call, count, content, 1000);
	}

	private long note(String change, int call, long count, String content, int searched) {
		return this.calls.number(ScriptCall.on(JobActivity.NOTE, this.calls.keys().activity())
			.add(change)
			.add(id(call))
			.add(count)
			.add(content)
			.add(searched));
	}

	private static String id(int number) {
		return "%012x".formatted(number);
	}

	private List<String> entries() {
		return List.copyOf(this.redis.template().opsForList().range(this.key, 0, -1));
	}

}
