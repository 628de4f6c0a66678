package io.github.steadyjobs.samples.orders;

/**
 * Something that happened to an order.
 *
 * @param kind the kind of event
 * @param lane the job that the event concerns
 * @param order the number of the order; for {@link Kind#BEGUN}, the number of orders
 * @param version the version of the order; for {@link Kind#BEGUN}, the number of versions
 * of each order
 * @param run the id of the run; {@code -} outside a run
 * @param attempt the number of the attempt, or 0 outside a run
 */
record Event(Kind kind, Lane lane, int order, int version, String run, int attempt) {

	static Event of(Kind kind, Lane lane, int order, int version) {
		return new Event(kind, lane, order, version, "-", 0);
	}

	static Event parse(String text) {
		String[] parts = text.split(" ");
		return new Event(Kind.valueOf(parts[0]), Lane.valueOf(parts[1]), Integer.parseInt(parts[2]),
				Integer.parseInt(parts[3]), parts[4], Integer.parseInt(parts[5]));
	}

	@Override
	public String toString() {
		return "%s %s %d %d %s %d".formatted(this.kind, this.lane, this.order, this.version, this.run, this.attempt);
	}

	enum Kind {

		/** A stream of updates has begun. */
		BEGUN,

		/** An update was enqueued. */
		SENT,

		/**
		 * An update joined waiting updates of the same order, with which it will run.
		 */
		MERGED,

		/** An update took effect. */
		APPLIED,

		/** A run of an update failed with an exception, and will be retried. */
		FAILED,

		/** A run of an update was interrupted because the workers were stopped. */
		PUT_BACK,

		/** The workers were stopped and started. */
		RESTARTED

	}

	enum Lane {

		/** The ordered job. */
		ORDERED,

		/** The plain job. */
		PLAIN

	}

}
