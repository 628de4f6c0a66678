package io.github.steadyjobs.audit;

import io.github.steadyjobs.redis.Answers;
import io.github.steadyjobs.redis.JobScript;
import io.github.steadyjobs.redis.ScriptCall;
import io.github.steadyjobs.server.ScriptFixture;

import static io.github.steadyjobs.server.ScriptFixture.bytes;

/**
 * Static methods that call the audit scripts for a queue.
 */
public final class AuditScripts {

	public static final JobScript REPAIR = AuditStore.REPAIR;

	public static final JobScript HEAL = AuditStore.HEAL;

	public static final JobScript QUARANTINE = AuditStore.QUARANTINE;

	private AuditScripts() {
	}

	static AuditStore.Page inspect(ScriptFixture queue, String what, Object... arguments) {
		return AuditStore.Page.of(queue.run(AuditStore.INSPECT, ScriptFixture.with(what, arguments)));
	}

	/**
	 * Count the entries in a page of a key.
	 */
	public static int count(ScriptFixture queue, String key) {
		return inspect(queue, key, "0", 10).entries().size();
	}

	public static String repair(ScriptFixture queue, String... ids) {
		return queue.text(REPAIR, (Object[]) ids);
	}

	/**
	 * Move the key {@code ready} to quarantine if it is not a list.
	 */
	public static long quarantine(ScriptFixture queue) {
		ScriptCall call = ScriptCall.on(QUARANTINE, bytes(queue.key("ready")), bytes(queue.key("ready:damaged:1")))
			.add("list");
		return Answers.number(queue.send(call), 0);
	}

	public static long heal(ScriptFixture queue, String part, String field, String value) {
		return Answers.number(queue.run(HEAL, part, field, value), 0);
	}

}
