package io.github.steadyjobs.benchmarks.chaos;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/**
 * Finds payloads of ordered jobs that ran in the wrong order, or at the same time as
 * another payload of their key.
 *
 * <p>
 * <b>Order.</b> A claim returns all stored payloads of a key. They run one after another,
 * the oldest first. A payload that is stored later belongs to the next claim. So an older
 * payload is in the wrong order if it begins after a newer payload of its key has begun,
 * and
 * <ul>
 * <li>both payloads were returned by the same claim, or
 * <li>the older payload was already stored when the newer payload was claimed, and should
 * therefore have run first.
 * </ul>
 * If a process dies, the payload that it was running may be repeated. This does not
 * violate the order, because no newer payload has begun by then. The time of a claim is
 * not recorded. But the claim is later than the push of every payload that it returned,
 * and later than the end of the previous run. So a payload whose push was answered before
 * any of these times was certainly stored.
 *
 * <p>
 * <b>At once.</b> No payload may begin while another payload of its key is running.
 *
 * <p>
 * If Redis has forgotten that a payload has ended, Redis may hand out that payload again
 * although newer payloads have run.
 *
 * <p>
 * A process that was silent for long enough may have been declared dead. Until the
 * process has learned this, its runs are ignored, because it may still run payloads that
 * have been given to other processes. All times are from one machine, and the recorded
 * start and end lie within the actual run.
 */
final class KeyOrderCheck {

	private final Map<Integer, Push> pushes = new HashMap<>();

	private final Map<String, List<Payload>> keys = new HashMap<>();

	private final Ownership ownership;

	private final List<String> violations = new ArrayList<>();

	private final List<String> atOnce = new ArrayList<>();

	/**
	 * Create a check.
	 * @param history what happened
	 * @param ownership knows the time until which the job of a run cannot have been given
	 * to another process
	 */
	KeyOrderCheck(History history, Ownership ownership) {
		this.ownership = ownership;
		for (Push push : history.pushes()) {
			if (push.update() != null) {
				this.pushes.put(push.job(), push);
			}
		}
		// Runs that began at the same time keep the order in which they were logged.
		history.runs().stream().sorted(Comparator.comparingLong(Run::start)).forEach((run) -> {
			Push push = this.pushes.get(run.job());
			Update update = (push != null) ? push.update() : null;
			if (push != null && update != null) {
				this.keys.computeIfAbsent(update.key(), (key) -> new ArrayList<>())
					.add(new Payload(run, push, update, ownership.heldUntil(run)));
			}
		});
	}

	KeyOrder verdict() {
		int runs = 0;
		long payloads = this.pushes.values().stream().filter(Push::accepted).count();
		for (List<Payload> key : this.keys.values()) {
			Map<Long, Claim> claims = claims(key);
			runs += claims.size();
			key.stream().filter(Payload::isHeldAtStart).forEach((payload) -> {
				checkOrder(payload, key, claims);
				checkAtOnce(payload, key);
			});
			payloads += key.stream().map(Payload::push).filter((push) -> !push.accepted()).distinct().count();
		}
		return new KeyOrder((int) payloads, runs, this.violations, this.atOnce);
	}

	/**
	 * Return the claims of a key by token.
	 */
	private Map<Long, Claim> claims(List<Payload> key) {
		Map<Long, Claim> claims = new HashMap<>();
		for (Payload payload : key) {
			long token = payload.run().token();
			Claim claim = claims.computeIfAbsent(token, (first) -> Claim.of(payload, key));
			claims.put(token, claim.with(payload, this.ownership.wasForgotten(payload.run())));
		}
		return claims;
	}

	private void checkOrder(Payload payload, List<Payload> key, Map<Long, Claim> claims) {
		for (Payload newer : key) {
			if (newer == payload) {
				return;
			}
			if (isOvertaken(payload, newer, claims)) {
				this.violations.add("%s began after %s had begun".formatted(payload, newer));
				return;
			}
		}
	}

	private static boolean isOvertaken(Payload payload, Payload newer, Map<Long, Claim> claims) {
		if (newer.update().version() <= payload.update().version()) {
			return false;
		}
		if (newer.run().token() == payload.run().token()) {
			return true;
		}
		Claim claim = Objects.requireNonNull(claims.get(newer.run().token()));
		return newer.isHeldAtStart() && newer.run().start() < payload.run().start() && !claim.forgotten()
				&& claim.had(payload);
	}

	private void checkAtOnce(Payload payload, List<Payload> key) {
		for (Payload other : key) {
			if (other == payload) {
				return;
			}
			if (payload.run().start() < other.end()) {
				this.atOnce.add("%s began while %s was running".formatted(payload, other));
				return;
			}
		}
	}

	/**
	 * A run of a payload.
	 *
	 * @param heldUntil the time until which its key cannot have been given to another
	 * process
	 */
	private record Payload(Run run, Push push, Update update, long heldUntil) {

		boolean isHeldAtStart() {
			return this.run.start() < this.heldUntil;
		}

		/**
		 * Return the time before which no other payload of the key may begin.
		 */
		long end() {
			return Math.min(this.run.end(), this.heldUntil);
		}

		@Override
		public String toString() {
			return "version %d of %s (%s, pushed from %d to %d)".formatted(this.update.version(), this.update.key(),
					this.run, this.push.from(), this.push.to());
		}

	}

	/**
	 * Facts known about a claim.
	 *
	 * @param earliest a time before the claim
	 * @param forgotten whether Redis may have forgotten the claim or its end
	 */
	private record Claim(long earliest, boolean forgotten) {

		/**
		 * Return the facts about a claim.
		 * @param first the first payload of the claim
		 * @param key all payloads of the key
		 */
		static Claim of(Payload first, List<Payload> key) {
			long earliest = 0;
			// A process that has lost the key may have made its claim before these times.
			if (first.isHeldAtStart()) {
				// The first run itself may end in the millisecond in which it began.
				earliest = key.stream()
					.filter(Payload::isHeldAtStart)
					.mapToLong(Payload::end)
					.filter((end) -> end < first.run().start())
					.max()
					.orElse(0);
			}
			return new Claim(earliest, false);
		}

		Claim with(Payload payload, boolean lost) {
			return new Claim(Math.max(this.earliest, payload.push().from()), this.forgotten || lost);
		}

		/**
		 * Return whether a payload was certainly stored at the time of this claim.
		 */
		boolean had(Payload payload) {
			return payload.push().accepted() && payload.push().to() < this.earliest;
		}

	}

}
