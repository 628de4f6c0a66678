package io.github.steadyjobs.redis;

import java.nio.charset.StandardCharsets;

/**
 * The keys of one queue, which all carry its hash tag, so that a script touches one slot.
 */
record QueueKeys(String queue, byte[] ready, byte[] payloads, byte[] scheduled, byte[] retries, byte[] dead,
		byte[] working, byte[] claims, byte[] beats, byte[] parked, byte[] cancelled, byte[] calls, byte[] since,
		byte[] wake, byte[] stats, byte[] meta, byte[] suspects, byte[] crashes, byte[] locks, byte[] lockof,
		byte[] again, byte[] mutexes, byte[] windows) {

	static QueueKeys of(String prefix, String queue) {
		Tag tag = new Tag(prefix + ":{" + queue + "}:");
		return new QueueKeys(queue, tag.key("ready"), tag.key("payloads"), tag.key("scheduled"), tag.key("retries"),
				tag.key("dead"), tag.key("working"), tag.key("claims"), tag.key("beats"), tag.key("parked"),
				tag.key("cancelled"), tag.key("calls"), tag.key("since"), tag.key("wake"), tag.key("stats"),
				tag.key("meta"), tag.key("suspects"), tag.key("crashes"), tag.key("locks"), tag.key("lockof"),
				tag.key("again"), tag.key("mutexes"), tag.key("windows"));
	}

	private record Tag(String text) {

		byte[] key(String name) {
			return (this.text + name).getBytes(StandardCharsets.UTF_8);
		}

	}

}
