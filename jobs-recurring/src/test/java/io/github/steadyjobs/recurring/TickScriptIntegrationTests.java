package io.github.steadyjobs.recurring;

import java.time.Duration;
import java.time.Instant;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.IntStream;

import io.github.steadyjobs.JobStoreException;
import io.github.steadyjobs.JobStoreException.Reason;
import io.github.steadyjobs.client.LockKind;
import io.github.steadyjobs.client.PreparingJobClient.Prepared;
import io.github.steadyjobs.recurring.Declarations.Effective;
import io.github.steadyjobs.recurring.RecurringState.Origin;
import io.github.steadyjobs.recurring.RecurringTick.Decision;
import io.github.steadyjobs.recurring.TickStore.Tick;
import io.github.steadyjobs.redis.Answers;
import io.github.steadyjobs.redis.NewJob;
import io.github.steadyjobs.server.AbstractScriptTests;
import io.github.steadyjobs.server.ScriptFixture;
import io.github.steadyjobs.support.OwnRedis;
import io.github.steadyjobs.support.TestRedis;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

import static io.github.steadyjobs.server.ScriptFixture.HOUR;
import static io.github.steadyjobs.server.ScriptFixture.bytes;
import static io.github.steadyjobs.server.ScriptFixture.id;
import static io.github.steadyjobs.server.ScriptFixture.ids;
import static io.github.steadyjobs.server.ScriptFixture.payload;
import static io.github.steadyjobs.support.Reasons.reason;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * Tests for {@code schedule.lua}, {@code tick.lua} and {@code ticks.lua}.
 */
class TickScriptIntegrationTests extends AbstractScriptTests {

	private static final LockKind KIND = LockKind.UNTIL_EXECUTED;

	private final long due = System.currentTimeMillis() - 3000;

	TickScriptIntegrationTests(TestRedis redis) {
		super(redis);
	}

	@Test
	void tickMakesItsJobAndGoesOn() {
		schedule(this.queue, "1", "a", this.due);
		this.queue.join(ScriptFixture.PROCESS);
		assertThat(tick(this.queue, tick("a", 1))).containsExactly("STORED");
		assertThat(this.queue.ready()).containsExactly(id(1));
		assertThat(this.queue.hash("payloads")).isEqualTo(Map.of(id(1), payload(1)));
		assertThat(this.queue.hash("ticked").get("a")).matches("digest %d \\d+ E %s".formatted(this.due, id(1)));
		assertThat(next("a")).isEqualTo(this.due + HOUR);
		assertThat(this.queue.list("wake")).hasSize(1);
	}

	@Test
	void tickWhenSentTwiceOrByTwoProcessesMakesOneJob() {
		schedule(this.queue, "1", "a", this.due);
		assertRepeatable(() -> tick(this.queue, tick("a", 1)));
		assertThat(tick(this.queue, tick("a", 2))).containsExactly("NOT_NOW");
		assertThat(this.queue.ready()).containsExactly(id(1));
	}

	@Test
	void tickWhenSentLateOrEarlyOrWithAnotherDefinitionChangesNothing() {
		schedule(this.queue, "1", "a", this.due);
		schedule(this.queue, "1", "b", this.due + HOUR);
		tick(this.queue, tick("a", 1));
		Map<String, Object> before = this.queue.contents();
		assertThat(tick(this.queue, tick("a", 1), tick("b", this.due + HOUR, 2, ""),
				tick("b", "other", this.due + HOUR, this.due, null, Decision.ENQUEUED, null), tick("unknown", 3)))
			.containsExactly("NOT_NOW", "NOT_NOW", "CHANGED", "CHANGED");
		assertThat(this.queue.contents()).isEqualTo(before);
	}

	@Test
	void tickWhenThereAreManyHandlesAllInOneCall() {
		Tick[] ticks = IntStream.range(0, 1000).mapToObj((number) -> {
			schedule(this.queue, "1", "r" + number, this.due);
			return tick("r" + number, number);
		}).toArray(Tick[]::new);
		assertThat(tick(this.queue, ticks)).hasSize(1000).containsOnly("STORED");
		assertThat(this.queue.ready()).hasSize(1000);
		assertThat(this.queue.hash("ticked")).hasSize(1001);
	}

	@Test
	void tickWhenSeveralAreOfOneNameHandlesThemInTheirOrder() {
		schedule(this.queue, "1", "a", this.due - 2);
		assertThat(tick(this.queue, missed(this.due - 2, 1), missed(this.due - 1, 2), missed(this.due, 3),
				missed(this.due, 4)))
			.containsExactly("STORED", "STORED", "STORED", "NOT_NOW");
		assertThat(this.queue.ready()).containsExactly(ids(1, 2, 3));
		assertThat(this.queue.hash("ticked").get("a")).startsWith("digest " + this.due).endsWith(" M " + id(3));
		assertThat(next("a")).isEqualTo(this.due + 1);
	}

	@Test
	void tickWhenJobsMeetLocksNotesWhoHasThem() {
		schedule(this.queue, "1", "a", this.due);
		schedule(this.queue, "1", "b", this.due);
		schedule(this.queue, "1", "c", this.due);
		this.queue.enqueue(ScriptFixture.locked(7, KIND, "held"));
		assertThat(tick(this.queue, tick("a", this.due, 1, KIND.lock(HOUR, "free")),
				tick("b", this.due, 2, KIND.lock(HOUR, "held")), tick("c", this.due, 3, KIND.lock(HOUR, "free"))))
			.containsExactly("STORED", "DUPLICATE", "DUPLICATE");
		assertThat(this.queue.hash("ticked").get("a")).endsWith(" E " + id(1));
		assertThat(this.queue.hash("ticked").get("b")).endsWith(" D " + id(7));
		assertThat(this.queue.hash("ticked").get("c")).endsWith(" D " + id(1));
		assertThat(this.queue.ready()).containsExactly(ids(7, 1));
	}

	@Test
	void tickWhenItsJobIsThereAlreadyStoresNoOther() {
		schedule(this.queue, "1", "a", this.due);
		this.queue.working(1);
		assertThat(tick(this.queue, tick("a", 1))).containsExactly("STORED");
		assertThat(this.queue.has("ready")).isFalse();
		assertThat(next("a")).isEqualTo(this.due + HOUR);
	}

	@Test
	void tickWhenItIsSkippedAndTheLastStoresNothing() {
		schedule(this.queue, "1", "a", this.due);
		tick(this.queue, tick("a", "digest", this.due, this.due, null, Decision.SKIPPED, null));
		assertThat(this.queue.contents()).containsOnlyKeys("ticked");
		assertThat(this.queue.hash("ticked").get("a")).endsWith(" S -");
	}

	@Test
	void tickWhenTheLockOfALostJobIsTakenOverSaysWhatItHasMade() {
		schedule(this.queue, "1", "a", this.due);
		this.queue.enqueue(ScriptFixture.locked(7, KIND, "lost"));
		this.queue.template().delete(List.of(this.queue.key("ready"), this.queue.key("payloads")));
		assertThat(tick(this.queue,
				tick("a", "digest", this.due, this.due, null, Decision.MADE_UP, job(1, KIND.lock(HOUR, "lost")))))
			.containsExactly("STORED_FOR_LOST");
		assertThat(this.queue.hash("ticked").get("a")).endsWith(" M " + id(1));
	}

	@Test
	void tickWhenThereAreTooManyIsRefused() {
		assertRefusesSoMany(TickStore.TICK, Collections.nCopies(6006, "").toArray());
	}

	@Test
	void tickWhenANewerVersionHasChangedTheLayoutIsLeftToIt() {
		schedule(this.queue, "1", "a", this.due);
		this.queue.set("meta", "schema", "3");
		Map<String, Object> before = this.queue.contents();
		assertThatExceptionOfType(JobStoreException.class).isThrownBy(() -> tick(this.queue, tick("a", 1)))
			.withMessageContaining("A newer version of Steady Jobs has changed the layout");
		assertThat(this.queue.contents()).isEqualTo(before);
	}

	@Test
	void tickWhenTypeIsWrongRefuses() {
		assertRefusesWrongTypes(TickStore.TICK, (queue) -> {
			schedule(queue, "1", "a", this.due);
			queue.working(8);
			queue.enqueue(ScriptFixture.locked(7, KIND, "other"));
		}, (queue) -> tick(queue, tick("a", this.due, 1, KIND.lock(HOUR, "d"))), "ticks", "ticked", "payloads", "ready",
				"working", "locks", "lockof");
	}

	@Test
	void scheduleWhenRepeatedKeepsTheNextTick() {
		schedule(this.queue, "1", "a", this.due);
		assertRepeatable(() -> schedule(this.queue, "1", "a", this.due));
		assertThat(schedule(this.queue, "2", "a", this.due + 7)).isEqualTo("D");
		assertThat(next("a")).isEqualTo(this.due);
		assertThat(this.queue.hash("ticked")).isEqualTo(Map.of("", "2", "a", "digest"));
	}

	@Test
	void scheduleWhenSentLateAfterATickChangesNothing() {
		schedule(this.queue, "1", "a", this.due);
		tick(this.queue, tick("a", 1));
		Map<String, Object> before = this.queue.contents();
		assertThat(schedule(this.queue, "1", "a", this.due)).isEqualTo("D");
		assertThat(this.queue.contents()).isEqualTo(before);
	}

	@Test
	void scheduleWhenSomethingNewerIsInForceChangesNothing() {
		schedule(this.queue, "2", "a", this.due);
		Map<String, Object> before = this.queue.contents();
		assertThat(schedule(this.queue, "1", "b", this.due)).isEqualTo("S");
		assertThat(this.queue.contents()).isEqualTo(before);
	}

	@Test
	void scheduleWhenATickWasHandledMeanwhileLeavesTheDefinition() {
		schedule(this.queue, "1", "a", this.due);
		tick(this.queue, tick("a", 1));
		Map<String, Object> before = this.queue.contents();
		assertThat(this.queue.text(TickStore.SCHEDULE, "1", "a", "other", this.due)).isEqualTo("S");
		assertThat(this.queue.contents()).isEqualTo(before);
		assertThat(this.queue.text(TickStore.SCHEDULE, "1", "a", "other", this.due + 1)).isEqualTo("D");
		assertThat(next("a")).isEqualTo(this.due + 1);
	}

	@Test
	void scheduleWhenPausedOrForgottenTakesItOut() {
		schedule(this.queue, "1", "a", this.due);
		schedule(this.queue, "1", "b", this.due);
		tick(this.queue, tick("a", 1));
		this.queue.set("ticked", "=b", "run");
		assertRepeatable(() -> this.queue.run(TickStore.SCHEDULE, "1", "a", "-", "-", "b", "", "-"));
		assertThat(this.queue.has("ticks")).isFalse();
		assertThat(this.queue.hash("ticked")).containsOnlyKeys("", "a");
		assertThat(this.queue.hash("ticked").get("a")).startsWith("- " + this.due);
	}

	@Test
	void scheduleAndTicksWhenTypeIsWrongRefuse() {
		assertRefusesWrongTypes(TickStore.SCHEDULE, (queue) -> schedule(queue, "1", "a", this.due),
				(queue) -> queue.run(TickStore.SCHEDULE, "2", "a", "other", this.due), "ticks", "ticked");
		assertRefusesWrongTypes(TickStore.TICKS, (queue) -> schedule(queue, "1", "a", this.due),
				(queue) -> queue.run(TickStore.TICKS, "a"), "ticks", "ticked");
	}

	@Test
	void ticksTellsTheStateOfEachNameAndWritesNothing() {
		schedule(this.queue, "1", "a", this.due);
		schedule(this.queue, "1", "b", "-");
		this.queue.set("ticked", "=b", "run");
		Map<String, Object> before = this.queue.contents();
		assertThat(this.queue.run(TickStore.TICKS, "b", "unknown", "a").stream().map(Answers::ascii))
			.containsExactly("", "digest", "run", "", "", "", Long.toString(this.due), "digest", "");
		assertThat(this.queue.contents()).isEqualTo(before);
	}

	@Test
	void tickWhenMemoryIsFullIsRefusedAndTheOthersAreCarriedOut() {
		try (OwnRedis server = OwnRedis.start()) {
			ScriptFixture full = new ScriptFixture(server.redis());
			schedule(full, "1", "a", this.due);
			schedule(full, "1", "b", this.due);
			Map<String, Object> before = full.contents();
			server.fillMemory();
			for (NewJob made : new NewJob[] { job(1, ""), null }) {
				Tick tick = tick("a", "digest", this.due, this.due, null, Decision.ENQUEUED, made);
				assertThatExceptionOfType(JobStoreException.class).isThrownBy(() -> tick(full, tick))
					.has(reason(Reason.FULL));
			}
			assertThat(full.run(TickStore.TICKS, "a")).hasSize(3);
			assertThat(full.contents()).isEqualTo(before);
			assertThat(full.text(TickStore.SCHEDULE, "2", "a", "-", "-", "b", "", "-", "c", "digest", this.due))
				.isEqualTo("D");
			assertThat(full.hash("ticked")).isEqualTo(Map.of("", "2", "a", "-", "c", "digest"));
		}
	}

	/**
	 * Put a recurring job into force.
	 * @param next the time of its next tick, in milliseconds since the epoch; '-' if it
	 * has no next tick
	 */
	private static String schedule(ScriptFixture queue, String version, String name, Object next) {
		return queue.text(TickStore.SCHEDULE, version, name, "digest", next);
	}

	/**
	 * Handle ticks, and return the result of each tick: the admission of its job, {@code
	 * NOT_NOW} or {@code CHANGED}.
	 */
	private static List<String> tick(ScriptFixture queue, Tick... ticks) {
		return new TickStore(queue.redis().connections(), queue.redis().prefix()).tick(queue.queue(), List.of(ticks))
			.stream()
			.map((seen) -> (seen.admission() != null) ? seen.admission().kind().name()
					: (seen.next() != null) ? "NOT_NOW" : "CHANGED")
			.toList();
	}

	private long next(String name) {
		return Objects.requireNonNull(this.queue.template().opsForZSet().score(this.queue.key("ticks"), name))
			.longValue();
	}

	private Tick tick(String name, int job) {
		return tick(name, this.due, job, "");
	}

	private static Tick tick(String name, long due, int job, String lock) {
		return tick(name, "digest", due, due, at(due + HOUR), Decision.ENQUEUED, job(job, lock));
	}

	private static Tick missed(long due, int job) {
		return tick("a", "digest", due, due, at(due + 1), Decision.MADE_UP, job(job, ""));
	}

	private static Tick tick(String name, String digest, long first, long last, @Nullable Instant next,
			Decision decision, @Nullable NewJob job) {
		RecurringJob recurring = RecurringJob.of(name, "Work.run", "work", Schedule.every(Duration.ofHours(1)));
		return new Tick(new Effective(recurring, digest, Origin.CREATED, null, true), at(first), at(last), at(last),
				next, decision, (job != null) ? new Prepared("work", job, (admission) -> {
				}) : null, List.of());
	}

	private static NewJob job(int job, String lock) {
		return new NewJob(id(job), bytes(payload(job)), null, lock, null, null);
	}

	private static Instant at(long millis) {
		return Instant.ofEpochMilli(millis);
	}

}
