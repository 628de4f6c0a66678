package io.github.steadyjobs.benchmarks.chaos;

import java.time.Duration;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;

import io.github.steadyjobs.benchmarks.chaos.Incident.Kind;

/**
 * Injects the planned faults, and undoes each fault after its planned duration.
 */
final class Faults {

	private static final int REPLY_DELAY = 5;

	private static final long AGAIN_AFTER = 200;

	private final Stage stage;

	private final Fleet fleet;

	private final ControlConnection control;

	private final Incidents incidents;

	private final ScheduledExecutorService repairs = Executors.newScheduledThreadPool(4, (task) -> {
		Thread thread = new Thread(task, "chaos-repair");
		thread.setDaemon(true);
		return thread;
	});

	private final Map<Fault, Integer> counts = new EnumMap<>(Fault.class);

	Faults(Stage stage, Fleet fleet, ControlConnection control, Incidents incidents) {
		this.stage = stage;
		this.fleet = fleet;
		this.control = control;
		this.incidents = incidents;
	}

	/**
	 * Inject faults.
	 * @param plan the faults to inject, in order of time
	 */
	void inject(List<PlannedFault> plan) throws InterruptedException {
		long start = System.nanoTime();
		for (PlannedFault planned : plan) {
			long wait = planned.at() - (System.nanoTime() - start) / 1_000_000;
			if (wait > 0) {
				Thread.sleep(wait);
			}
			this.counts.merge(planned.fault(), 1, Integer::sum);
			inject(planned);
		}
	}

	private void inject(PlannedFault planned) {
		int target = planned.target();
		long length = planned.length();
		switch (planned.fault()) {
			case KILL -> {
				this.incidents.say("kill worker %d", target);
				this.fleet.kill(target);
				later(length, () -> this.fleet.start(target));
			}
			case STOP -> {
				this.incidents.say("stop worker %d", target);
				later(0, () -> terminate(target));
			}
			case PAUSE -> {
				this.incidents.say("pause worker %d for %d ms", target, length);
				later(length, this.fleet.pause(target));
			}
			case CUT -> cut(planned);
			case SLOW -> {
				this.incidents.say("delay replies by %d ms for %d ms", REPLY_DELAY, length);
				this.stage.delayReplies(REPLY_DELAY);
				later(length, () -> this.stage.delayReplies(-REPLY_DELAY));
			}
			case REDIS_RESTART -> restartServer(length);
			case MASTER_KILL -> killMaster(Order.STORED.get(target % Order.STORED.size()), length);
			case OLDER_DATA ->
				later(0, () -> bringBackOlderData(Order.STORED.get(target % Order.STORED.size()), length));
			case SCRIPT_FLUSH -> {
				this.incidents.say("flush scripts");
				this.control.flushScripts();
			}
			case CLIENT_KILL -> {
				long from = System.currentTimeMillis();
				this.incidents.say("close %d connections", this.control.killClients(this.stage.addresses()));
				this.incidents.add(Kind.CUT_OFF, Incident.ALL, from, System.currentTimeMillis());
			}
		}
	}

	private void terminate(int slot) {
		try {
			this.fleet.terminate(slot);
			this.fleet.start(slot);
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
		}
	}

	private void cut(PlannedFault planned) {
		this.incidents.say("cut connections of %d for %d ms: %s", planned.target(), planned.length(), planned.cut());
		Relays relays = this.stage.relays(planned.target());
		long from = System.currentTimeMillis();
		relays.disturb(planned.cut());
		later(planned.length(), () -> {
			relays.heal();
			this.incidents.add(Kind.CUT_OFF, planned.target(), from, System.currentTimeMillis());
		});
	}

	private void restartServer(long length) {
		long from = System.currentTimeMillis();
		if (this.stage.killServer()) {
			this.incidents.say("kill the server for %d ms", length);
			later(length, () -> {
				this.stage.restartServer();
				this.incidents.add(Kind.CUT_OFF, Incident.ALL, from, System.currentTimeMillis());
			});
		}
	}

	private void killMaster(String queue, long length) {
		long from = System.currentTimeMillis();
		Runnable repair = this.stage.killMasterOf(queue);
		if (repair == null) {
			this.incidents.say("kill no master, as the last one is not back yet");
			return;
		}
		this.incidents.say("kill the master of %s", queue);
		later(length, () -> {
			repair.run();
			this.incidents.say("the master of %s is back, as a replica", queue);
			this.incidents.add(Kind.CUT_OFF, Incident.ALL, from, System.currentTimeMillis());
		});
	}

	private void bringBackOlderData(String queue, long length) {
		WrittenData.Loss loss = this.stage.bringBackOlderData(queue, length);
		if (loss == null) {
			// A server is not available at the moment, so try again later.
			later(AGAIN_AFTER, () -> bringBackOlderData(queue, length));
			return;
		}
		this.incidents.say("the server of %s is back with data that is %d ms old", queue, loss.killed() - loss.from());
		this.incidents.add(Kind.FORGOTTEN, Incident.ALL, loss.from(), loss.back());
		this.incidents.add(Kind.CUT_OFF, Incident.ALL, loss.killed(), loss.back());
	}

	private void later(long millis, Runnable repair) {
		this.repairs.schedule(() -> {
			try {
				repair.run();
			}
			catch (RuntimeException ex) {
				this.incidents.say("could not repair: %s", ex);
			}
		}, millis, TimeUnit.MILLISECONDS);
	}

	/**
	 * Wait until all faults have been undone.
	 * @param timeout how long to wait
	 */
	void awaitRepairs(Duration timeout) throws InterruptedException {
		// Tasks that are already scheduled are still carried out.
		this.repairs.shutdown();
		if (!this.repairs.awaitTermination(timeout.toMillis(), TimeUnit.MILLISECONDS)) {
			throw new IllegalStateException("Faults could not be undone within " + timeout);
		}
	}

	Map<Fault, Integer> counts() {
		return Map.copyOf(this.counts);
	}

}
