package io.github.steadyjobs.samples.orders;

import io.github.steadyjobs.samples.orders.Event.Kind;
import io.github.steadyjobs.samples.orders.Event.Lane;
import io.github.steadyjobs.server.Launcher;

import org.springframework.stereotype.Component;

/**
 * Stops and starts the workers of this process, as a deployment would.
 */
@Component
class Workers {

	private final Launcher launcher;

	private final Ledger ledger;

	Workers(Launcher launcher, Ledger ledger) {
		this.launcher = launcher;
		this.ledger = ledger;
	}

	synchronized void restart() {
		this.ledger.add(this.ledger.newest(), Event.of(Kind.RESTARTED, Lane.ORDERED, 0, 0));
		this.launcher.stop();
		this.launcher.start();
	}

}
