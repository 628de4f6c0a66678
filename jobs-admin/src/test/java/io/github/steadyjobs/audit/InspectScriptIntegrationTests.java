package io.github.steadyjobs.audit;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

import io.github.steadyjobs.redis.NewJob;
import io.github.steadyjobs.redis.QueuePart;
import io.github.steadyjobs.server.AbstractScriptTests;
import io.github.steadyjobs.server.ScriptFixture;
import io.github.steadyjobs.support.TestRedis;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

import static io.github.steadyjobs.audit.AuditScripts.inspect;
import static io.github.steadyjobs.audit.AuditScripts.repair;
import static io.github.steadyjobs.server.ScriptFixture.HOUR;
import static io.github.steadyjobs.server.ScriptFixture.id;
import static io.github.steadyjobs.server.ScriptFixture.ids;
import static io.github.steadyjobs.server.ScriptFixture.job;
import static io.github.steadyjobs.server.ScriptFixture.jobs;
import static io.github.steadyjobs.server.ScriptFixture.payload;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

/**
 * Tests for {@code inspect.lua}.
 */
class InspectScriptIntegrationTests extends AbstractScriptTests {

	InspectScriptIntegrationTests(TestRedis redis) {
		super(redis);
	}

	@Test
	void inspectTellsPlacesOfIds() {
		this.queue.working(1, 2, 3, 4, 5);
		this.queue.retry(1, 1, HOUR);
		this.queue.bury(2, 2, 10, HOUR);
		this.queue.park(3, 3, "unknown:Mail.send");
		this.queue.cancel(4);
		this.queue.enqueue(job(6), job(7, HOUR));
		assertThat(letters("ids", ids(1, 2, 3, 4, 5, 6, 7, 8))).containsExactly("PT", "PD", "PK", "WC", "PW", "P", "PS",
				"");
		assertThat(letters("lists", ids(6, 7))).containsExactly("PL", "PS");
	}

	@Test
	void inspectTellsWhoseWorkNobodyTakesBack() {
		this.queue.working(1, 2, 3);
		this.queue.set("working", id(2), "p9/main/1s");
		this.queue.set("working", id(3), "p1");
		assertThat(letters("ids", ids(1, 2, 3))).containsExactly("PW", "PG", "PM");
		this.queue.set("claims", "p9/main", "1");
		assertThat(inspect(this.queue, "claims", "0", 10).entries())
			.extracting(AuditStore.Entry::id, (entry) -> entry.belongsToNobody())
			.contains(tuple("p9/main", true), tuple("p1/main", false));
		this.queue.spoil(this.queue.key("beats"));
		assertThat(letters("ids", ids(2))).containsExactly("PW");
		this.queue.template().delete(this.queue.key("beats"));
		this.queue.set("working", id(2), "p1/main/2");
		this.queue.set("working", id(3), "p1/main/3");
	}

	@Test
	void inspectTellsHowOftenIdIsInLists() {
		this.queue.enqueue(1, 2);
		this.queue.put("ready", 1);
		this.queue.put("suspects", 1);
		assertThat(letters("lists", ids(1, 2, 3))).containsExactly("PLLQ", "PL", "");
		repair(this.queue, id(1));
	}

	@Test
	void inspectWhenPagesAreReadMeetsAllPayloadsWithTheirBytes() {
		this.queue.enqueue(jobs(1, 1000));
		Set<String> met = new LinkedHashSet<>();
		long weight = 0;
		String cursor = "0";
		do {
			AuditStore.Page page = inspect(this.queue, "payloads", cursor, 100);
			page.entries().forEach((entry) -> met.add(entry.id()));
			weight += page.weight();
			cursor = page.next();
		}
		while (!cursor.equals("0"));
		assertThat(met).hasSize(1000);
		assertThat(weight).isGreaterThanOrEqualTo(1000L * payload(1).length());
	}

	@Test
	void inspectWhenListMovesMissesNothingThatStays() {
		this.queue.join(ScriptFixture.PROCESS);
		this.queue.enqueue(jobs(1, 1000));
		List<String> met = new ArrayList<>();
		String cursor = "0";
		int next = 1000;
		do {
			AuditStore.Page page = inspect(this.queue, "ready", cursor, 100);
			page.entries().forEach((entry) -> met.add(entry.id()));
			cursor = page.next();
			this.queue.enqueue(jobs(next + 1, next + 150));
			next += 150;
			this.queue.claim(10);
		}
		while (!cursor.equals("0"));
		// Jobs that were ready at the beginning and still are.
		List<String> stayed = this.queue.ready().stream().filter((id) -> id.compareTo(id(1000)) <= 0).toList();
		assertThat(stayed).isNotEmpty();
		assertThat(met).containsAll(stayed);
	}

	@Test
	void inspectWhenListIsLongSearchesForFewerIds() {
		for (int from = 0; from < 3000; from += 1000) {
			this.queue.enqueue(jobs(from + 1, from + 1000));
		}
		String[] many = Arrays.stream(jobs(1, 500)).map(NewJob::id).toArray(String[]::new);
		AuditStore.Page found = inspect(this.queue, "lists", (Object[]) many);
		assertThat(found.entries()).hasSize(166).extracting((entry) -> entry.letters()).containsOnly("PL");
		assertThat(found.next()).isEqualTo("166");
		assertThat(found.weight()).isEqualTo(166 * 3000);
	}

	@ParameterizedTest
	@EnumSource(mode = EnumSource.Mode.EXCLUDE, names = { "WAKE", "TICKS", "TICKED" })
	void inspectWhenKeyHasWrongTypeTellsTheRest(QueuePart part) {
		ScriptFixture spoilt = this.queue.sibling();
		spoilt.working(1);
		spoilt.enqueue(2);
		spoilt.spoil(spoilt.key(part.text()));
		Map<String, Object> before = spoilt.contents();
		assertThat(inspect(spoilt, part.text(), "0", 10).entries()).isEmpty();
		assertThat(inspect(spoilt, "lists", id(1), id(2)).entries()).hasSize(2);
		assertThat(spoilt.contents()).isEqualTo(before);
	}

	@Test
	void inspectWhenNothingIsThereTellsSo() {
		assertThat(inspect(this.queue, "payloads", "0", 10)).isEqualTo(new AuditStore.Page("0", 0, List.of()));
		assertThat(inspect(this.queue, "ready", "0", 10)).isEqualTo(new AuditStore.Page("0", 0, List.of()));
		assertThat(letters("lists", id(1))).containsExactly("");
	}

	private List<String> letters(String what, String... ids) {
		return inspect(this.queue, what, (Object[]) ids).entries().stream().map((entry) -> entry.letters()).toList();
	}

}
