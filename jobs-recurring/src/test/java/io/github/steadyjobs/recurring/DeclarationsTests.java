package io.github.steadyjobs.recurring;

import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

import io.github.steadyjobs.Recurring.Missed;
import io.github.steadyjobs.Recurring.Overlap;
import io.github.steadyjobs.recurring.Declarations.Effective;
import io.github.steadyjobs.recurring.RecurringState.Origin;
import io.github.steadyjobs.recurring.RecurringState.Pause;
import io.github.steadyjobs.redis.Declared;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link Declarations}.
 */
class DeclarationsTests {

	private static final Instant NOW = Instant.parse("2026-01-01T00:00:00Z");

	private static final Instant MONDAY = Instant.parse("2025-12-01T09:00:00Z");

	private static final Instant TUESDAY = Instant.parse("2025-12-02T09:00:00Z");

	private final Map<String, String> fields = new TreeMap<>();

	@Test
	void effectiveWhenTwoReleasesAreBuiltIsThatOfTheLaterBuild() {
		declare("new", set("app", 2), TUESDAY);
		declare("old", set("app", 1), MONDAY);
		assertThat(hours("r")).isEqualTo(2);
		leave("new");
		assertThat(hours("r")).isEqualTo(1);
	}

	@Test
	void effectiveWhenOneBuildHasTwoConfigurationsIsThatOfTheLater() {
		declare("one", set("app", 1), MONDAY);
		declare("two", set("app", 2), MONDAY);
		assertThat(hours("r")).isEqualTo(2);
		assertThat(this.fields.values()).as("ranks: the build time, and the next higher number")
			.anyMatch((value) -> value.startsWith(MONDAY.toEpochMilli() + " {"))
			.anyMatch((value) -> value.startsWith(MONDAY.toEpochMilli() + 1 + " {"));
		declare("three", set("app", 3), TUESDAY);
		assertThat(hours("r")).isEqualTo(3);
	}

	@Test
	void effectiveWhenTheFirstConfigurationOfABuildIsForgottenIsThatOfTheLatest() {
		declare("one", set("app", 1), MONDAY);
		declare("two", set("app", 2), MONDAY);
		leave("one");
		put(known().forgetOld(known()));
		declare("three", set("app", 3), MONDAY);
		assertThat(hours("r")).isEqualTo(3);
	}

	@Test
	void effectiveWhenABuildBringsBackAnEarlierSetIsThatSet() {
		declare("one", set("app", 1), MONDAY);
		declare("two", set("app", 2), TUESDAY);
		declare("three", set("app", 1), TUESDAY.plusSeconds(1));
		declare("one-more", set("app", 1), MONDAY);
		assertThat(hours("r")).isEqualTo(1);
	}

	@Test
	void effectiveWhenNoBuildIsKnownIsThatOfTheReleaseThatAppearedLater() {
		declare("one", set("app", 1), null);
		declare("two", set("app", 2), null);
		declare("one-more", set("app", 1), null);
		assertThat(hours("r")).isEqualTo(2);
		leave("one", "one-more");
		declare("back", set("app", 1), null);
		assertThat(hours("r")).as("period declared again after its last process had gone").isEqualTo(1);
	}

	@Test
	void effectiveWhenReleasesOfBeforeHaveNumbersIsThatOfTheHighest() {
		declare("one", set("app", 1), null);
		assertThat(this.fields.values()).anyMatch((value) -> value.startsWith("1 {"));
		declare("two", set("app", 2), MONDAY);
		assertThat(hours("r")).isEqualTo(2);
		declare("three", set("app", 3), null);
		assertThat(hours("r")).isEqualTo(3);
	}

	@Test
	void effectiveWhenItIsCreatedComesAfterWhatIsDeclared() {
		put(Declarations.create(job("r", 5)));
		assertThat(effective("r").origin()).isEqualTo(Origin.CREATED);
		assertThat(effective("r").isRunnable()).isFalse();
		declare("one", set("app", 1), null);
		assertThat(effective("r").origin()).isEqualTo(Origin.DECLARED);
		assertThat(effective("r").isRunnable()).isTrue();
		put(Declarations.pause("r", new Pause("ann", "disk", NOW)));
		assertThat(effective("r").pause()).isEqualTo(new Pause("ann", "disk", NOW));
	}

	@Test
	void forgetOldSetsLeavesThoseOfApplicationsThatAreDown() {
		declare("one", set("app", 1, job("gone", 1)), null);
		declare("two", set("app", 2), null);
		declare("other", set("other", 1, job("kept", 1)), null);
		leave("one", "other");
		Declarations before = known();
		put(known().forgetOld(known()));
		assertThat(before.gone(known())).containsExactly("gone");
		assertThat(known().effective()).containsOnlyKeys("r", "kept");
		assertThat(known().applications("kept")).isEmpty();
		put(known().delete("kept"));
		assertThat(known().effective()).containsOnlyKeys("r");
	}

	@Test
	void forgetOldLeavesASetThatHasBecomeOldSince() {
		declare("one", set("app", 1, job("gone", 1)), null);
		declare("two", set("app", 2), null);
		Declarations before = known();
		leave("one");
		assertThat(known().forgetOld(before)).as("sets removed before its queues are informed").isEmpty();
		assertThat(known().forgetOld(known())).hasSize(1);
	}

	@Test
	void goneLeavesOutWhatAnotherProcessHasDeclaredAgain() {
		declare("one", set("app", 1, job("gone", 1), job("back", 1)), null);
		declare("two", set("app", 2), null);
		leave("one");
		Declarations before = known();
		declare("three", set("app", 3, job("back", 1)), null);
		assertThat(before.gone(known())).containsExactly("gone");
	}

	@Test
	void applicationsAreThoseThatRunAndDeclareAName() {
		declare("one", set("app", 1), null);
		declare("two", set("app", 2), null);
		assertThat(known().applications("r")).containsExactly("app");
		declare("other", set("other", 3), null);
		assertThat(known().applications("r")).containsExactly("app", "other");
		assertThat(known().applications("unknown")).isEmpty();
		assertThat(known().without(List.of("other")).applications("r")).containsExactly("app");
	}

	@Test
	void elsewhereNamesTheQueueThatARecurringJobHasLeft() {
		declare("one", set("app", 1), null);
		RecurringJob moved = new RecurringJob("r", "Work.run", "other", job("r", 1).schedule(), job("r", 1).missed(), 0,
				job("r", 1).overlap());
		declare("two", new DeclaredSet(0, "app", List.of("Work.run"), List.of(), List.of(moved)), null);
		assertThat(known().elsewhere()).isEqualTo(Map.of("work", Set.of("r")));
		assertThat(known().isIn("other", "r")).isTrue();
		assertThat(known().isIn("work", "r")).isFalse();
	}

	@Test
	void elsewhereNamesWhatGoesWithASetThatNobodyDeclares() {
		declare("one", set("app", 1, job("gone", 1)), null);
		declare("two", set("app", 2), null);
		assertThat(known().elsewhere()).isEmpty();
		leave("one");
		assertThat(known().elsewhere()).isEqualTo(Map.of("work", Set.of("gone")));
	}

	@Test
	void declareWritesWhatEveryReleaseReads() {
		RecurringJob cron = new RecurringJob("c", "Work.run", "work",
				Schedule.cron("0 0 3 * * *", ZoneId.of("Europe/Berlin"))
					.from(MONDAY)
					.until(TUESDAY)
					.jitter(Duration.ofSeconds(30)),
				Missed.RUN_ALL, 3, Overlap.ALLOW);
		assertThat(
				new DeclaredSet(0, "app", List.of("Other.run"), List.of("Work.run"), List.of(cron, job("r", 1))).json())
			.isEqualTo("{\"application\":\"app\",\"jobs\":[\"Other.run\"],\"idempotent\":[\"Work.run\"],\"recurring\":["
					+ "{\"name\":\"c\",\"job\":\"Work.run\",\"queue\":\"work\",\"cron\":\"0 0 3 * * *\","
					+ "\"zone\":\"Europe/Berlin\",\"from\":1764579600000,\"until\":1764666000000,\"jitter\":30000,"
					+ "\"missed\":\"RUN_ALL\",\"at_most\":3,\"overlap\":\"ALLOW\"},"
					+ "{\"name\":\"r\",\"job\":\"Work.run\",\"queue\":\"work\",\"every\":3600000,"
					+ "\"missed\":\"RUN_ONCE\",\"overlap\":\"SKIP\"}]}");
		put(Declarations.create(cron));
		assertThat(effective("c").job()).isEqualTo(cron);
		assertThat(effective("c").digest()).isEqualTo("d377341b94ff");
	}

	@Test
	void readWhenAFieldCannotBeReadLeavesItToLaterVersions() {
		declare("one", set("app", 1), null);
		this.fields.put("created:x", "{\"name\":\"x\",\"weekly\":true}");
		this.fields.put("set:abc", "nonsense");
		this.fields.put("whatever", "");
		assertThat(known().effective()).containsOnlyKeys("r");
	}

	private void declare(String process, DeclaredSet set, @Nullable Instant built) {
		DeclaredSet ranked = new DeclaredSet((built != null) ? built.toEpochMilli() : 0, set.application(), set.jobs(),
				set.idempotent(), set.recurring());
		put(known().declare(process, ranked));
		assertThat(known().declare(process, ranked)).as("changes when it is declared again").isEmpty();
	}

	private void leave(String... processes) {
		put(known().leave(List.of(processes)));
	}

	private void put(Map<String, @Nullable String> changes) {
		changes.forEach((field, value) -> this.fields.compute(field, (name, before) -> value));
	}

	private Declarations known() {
		return Declarations.of(new Declared(true, NOW, "1 a", this.fields));
	}

	private Effective effective(String name) {
		return known().effective().get(name);
	}

	private long hours(String name) {
		return effective(name).job().schedule().every().toHours();
	}

	private static DeclaredSet set(String application, int hours, RecurringJob... more) {
		List<RecurringJob> jobs = new ArrayList<>(List.of(more));
		jobs.add(job("r", hours));
		return new DeclaredSet(0, application, List.of("Work.run"), List.of(), jobs);
	}

	private static RecurringJob job(String name, int hours) {
		return RecurringJob.of(name, "Work.run", "work", Schedule.every(Duration.ofHours(hours)));
	}

}
