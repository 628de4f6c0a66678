package io.github.steadyjobs.samples.orders;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

import io.github.steadyjobs.samples.orders.Event.Kind;
import io.github.steadyjobs.samples.orders.Event.Lane;
import io.github.steadyjobs.samples.orders.Tally.Counts;

/**
 * The history of a stream, computed from its events.
 */
final class OrderHistory {

	private static final int RUNS_SHOWN = 12;

	private final long stream;

	private final Map<Integer, Order> orders = new TreeMap<>();

	private final Deque<Run> runs = new ArrayDeque<>();

	private int size;

	private int total;

	private int restarts;

	OrderHistory(long stream) {
		this.stream = stream;
	}

	long stream() {
		return this.stream;
	}

	/**
	 * Return the number of events.
	 */
	int size() {
		return this.size;
	}

	void add(Event event) {
		this.size++;
		if (event.kind() == Kind.BEGUN) {
			this.total = event.order() * event.version();
		}
		else if (event.kind() == Kind.RESTARTED) {
			this.restarts++;
		}
		else {
			Order order = this.orders.computeIfAbsent(event.order(), (key) -> new Order());
			if (event.lane() == Lane.PLAIN) {
				order.plain.add(event);
			}
			else if (order.ordered.add(event)) {
				order.run = begin(event);
			}
			else if (event.kind() != Kind.SENT && event.kind() != Kind.MERGED) {
				order.run.steps.add(new Step(event));
			}
		}
	}

	private Run begin(Event event) {
		Run run = new Run(event.order(), event.attempt(), new ArrayList<>(List.of(new Step(event))));
		this.runs.addFirst(run);
		if (this.runs.size() > RUNS_SHOWN) {
			this.runs.removeLast();
		}
		return run;
	}

	Summary summary() {
		List<Row> rows = new ArrayList<>();
		this.orders.forEach((order, told) -> rows.add(new Row(order, told.ordered.counts(), told.plain.counts())));
		Counts none = new Tally().counts();
		Counts ordered = rows.stream().map(Row::ordered).reduce(none, Counts::plus);
		Counts plain = rows.stream().map(Row::plain).reduce(none, Counts::plus);
		boolean ended = this.total > 0 && ordered.sent() == this.total && ordered.waiting() == 0
				&& plain.waiting() == 0;
		List<Run> latest = this.runs.stream()
			.map((run) -> new Run(run.order(), run.attempt(), List.copyOf(run.steps())))
			.toList();
		return new Summary(this.stream, this.total, ended, this.restarts, ordered, plain, rows, latest);
	}

	private static final class Order {

		private final Tally ordered = new Tally();

		private final Tally plain = new Tally();

		private Run run = new Run(0, 0, new ArrayList<>());

	}

	/**
	 * The data that the page shows.
	 *
	 * @param stream the number of the stream, or 0 if there is no stream
	 * @param total the number of updates in the stream
	 * @param ended whether both jobs have applied all updates
	 * @param restarts the number of times that the workers were stopped and started
	 * @param ordered the counts of the ordered job
	 * @param plain the counts of the plain job
	 * @param orders the counts of each order
	 * @param latest the latest runs of the ordered job, newest first
	 */
	record Summary(long stream, int total, boolean ended, int restarts, Counts ordered, Counts plain, List<Row> orders,
			List<Run> latest) {

	}

	record Row(int order, Counts ordered, Counts plain) {

	}

	record Run(int order, int attempt, List<Step> steps) {

	}

	record Step(Kind kind, int version) {

		Step(Event event) {
			this(event.kind(), event.version());
		}

	}

}
