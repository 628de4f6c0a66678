package io.github.steadyjobs.samples.orders;

import org.springframework.http.HttpStatus;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.ResponseStatus;
import org.springframework.web.bind.annotation.RestController;
import org.springframework.web.server.ResponseStatusException;

/**
 * Returns the events so far, and starts streams.
 */
@RestController
class OrdersController {

	private final Ledger ledger;

	private final UpdateStream stream;

	private final Workers workers;

	OrdersController(Ledger ledger, UpdateStream stream, Workers workers) {
		this.ledger = ledger;
		this.stream = stream;
		this.workers = workers;
	}

	@GetMapping("/orders")
	OrderHistory.Summary orders() {
		return this.ledger.summary();
	}

	@PostMapping("/stream")
	@ResponseStatus(HttpStatus.ACCEPTED)
	void stream() {
		if (!this.stream.begin()) {
			throw new ResponseStatusException(HttpStatus.CONFLICT, "A stream is being sent. Wait for its end.");
		}
	}

	@PostMapping("/restart")
	@ResponseStatus(HttpStatus.NO_CONTENT)
	void restart() {
		this.workers.restart();
	}

}
