package io.github.steadyjobs.benchmarks.chaos;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;

import io.github.steadyjobs.JobStoreException;
import io.github.steadyjobs.admin.JobAction;
import io.github.steadyjobs.admin.JobAdmin;
import io.github.steadyjobs.admin.JobChange;
import io.github.steadyjobs.admin.JobEntry;
import io.github.steadyjobs.admin.JobPage;
import io.github.steadyjobs.admin.JobPause;
import io.github.steadyjobs.admin.JobPauses;
import io.github.steadyjobs.admin.JobPlace;
import io.github.steadyjobs.admin.JobQuery;
import io.github.steadyjobs.admin.PauseResult;
import org.jspecify.annotations.Nullable;

import org.springframework.beans.factory.BeanFactory;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;

/**
 * Acts like a person who constantly changes jobs. Whatever the operator does, no job may
 * be missing at the end unless it was deleted.
 */
final class Operator {

	private static final long EVERY_MILLIS = 50;

	private static final int PAGE = 20;

	private static final List<String> PAUSED = List.of(Order.QUEUES.get(0), Order.QUEUES.get(1), Order.ORDERED);

	private final JobAdmin admin;

	private final JobPauses pauses;

	private final Random random;

	private final Set<String> deleted = ConcurrentHashMap.newKeySet();

	private final List<String> notes = new CopyOnWriteArrayList<>();

	private final Map<Deed, Integer> deeds = new EnumMap<>(Deed.class);

	/**
	 * Create an operator.
	 * @param beans the beans of an application that declares the jobs
	 * @param seed the random seed
	 */
	Operator(BeanFactory beans, long seed) {
		this.admin = beans.getBean(JobAdmin.class);
		this.pauses = beans.getBean(JobPauses.class);
		this.random = new Random(seed);
	}

	/**
	 * Change jobs until the returned task is run.
	 * @return a task that stops the operator, and waits until its current action has
	 * ended
	 */
	Runnable start() {
		Thread thread = new Thread(this::runUntilInterrupted, "chaos-operator");
		thread.setDaemon(true);
		thread.start();
		return () -> {
			thread.interrupt();
			try {
				thread.join();
			}
			catch (InterruptedException ex) {
				Thread.currentThread().interrupt();
			}
		};
	}

	private void runUntilInterrupted() {
		try {
			while (true) {
				Thread.sleep(EVERY_MILLIS);
				Deed deed = Deed.values()[this.random.nextInt(Deed.values().length)];
				try {
					if (act(deed)) {
						this.deeds.merge(deed, 1, Integer::sum);
					}
				}
				catch (JobStoreException ex) {
					// The server is unavailable, which is part of the plan.
				}
			}
		}
		catch (InterruptedException ex) {
			// The operator has been stopped.
		}
	}

	private boolean act(Deed deed) {
		if (deed == Deed.PAUSE) {
			return pause();
		}
		JobEntry job = draw(deed);
		if (job == null || (job.queue().equals(Order.ORDERED) && !deed.keepsOrder)) {
			return false;
		}
		String id = job.id();
		if (deed == Deed.DELETE) {
			// The id is added first, because the job may be deleted although no answer
			// arrives.
			this.deleted.add(id);
		}
		this.notes
			.add("%d %s %s in %s of %s".formatted(System.currentTimeMillis(), deed, id, job.place(), job.queue()));
		JobChange change = switch (deed) {
			case RUN_NOW -> this.admin.change(JobAction.RUN_NOW, id);
			case RETRY -> this.admin.change(JobAction.RETRY, id);
			case KILL -> this.admin.change(JobAction.KILL, id);
			case DELETE -> this.admin.change(JobAction.DELETE, id);
			case RESCHEDULE -> this.admin.reschedule(id, Instant.now().plusMillis(this.random.nextInt(3000)));
			case EDIT -> edit(job);
			case PAUSE -> throw new IllegalStateException("Not done to a job");
			case MOVE -> this.admin.move(id, Order.QUEUES.get(job.queue().equals(Order.QUEUES.get(0)) ? 1 : 0));
		};
		this.notes.add("%d %s: %s".formatted(System.currentTimeMillis(), change.outcome(), change.message()));
		// If the answer to the first attempt was lost, the second attempt found nothing
		// to delete.
		if (deed == Deed.DELETE && !change.isDone() && this.admin.find(id).isPresent()) {
			this.deleted.remove(id);
		}
		return change.isDone();
	}

	/**
	 * Pause a queue or a job name for a moment, or end such a pause early.
	 */
	private boolean pause() {
		List<JobPause> present = this.pauses.list();
		if (!present.isEmpty()) {
			return this.pauses.resume(present.get(0)).status() == PauseResult.Status.RESUMED;
		}
		Instant until = Instant.now().plusMillis(200 + this.random.nextInt(1000));
		String queue = PAUSED.get(this.random.nextInt(PAUSED.size()));
		PauseResult result = this.random.nextBoolean() ? this.pauses.pauseQueue(queue, "chaos", "to see", until)
				: this.pauses.pauseJob(ChaosJobs.NAME, "chaos", "to see", until);
		return result.status() == PauseResult.Status.PAUSED;
	}

	private @Nullable JobEntry draw(Deed deed) {
		JobPlace place = deed.places.get(this.random.nextInt(deed.places.size()));
		JobPage page = this.admin.page(JobQuery.of(place).size(PAGE));
		return page.jobs().isEmpty() ? null : page.jobs().get(this.random.nextInt(page.jobs().size()));
	}

	/**
	 * Change the arguments of a job so that it takes only a millisecond.
	 */
	private JobChange edit(JobEntry job) {
		String arguments = (job.payload() != null) ? job.payload().arguments().toString() : "[]";
		return this.admin.edit(job.id(), arguments.replaceFirst("\"millis\":\\d+", "\"millis\":1"));
	}

	/**
	 * Return the ids of jobs that were deleted, or may have been deleted.
	 */
	Set<String> deleted() {
		return this.deleted;
	}

	/**
	 * Return how many times each action was taken.
	 */
	Map<String, Integer> deeds() {
		Map<String, Integer> counts = new LinkedHashMap<>();
		this.deeds.forEach((deed, count) -> counts.put(deed.name().toLowerCase(Locale.ROOT), count));
		return counts;
	}

	/**
	 * An application that declares the jobs but does not run them. The job methods are
	 * needed to check whether arguments fit.
	 */
	@Configuration(proxyBeanMethods = false)
	@Import(ChaosApplication.class)
	static class Application {

		@Bean
		ChaosJobs chaosJobs() {
			return new ChaosJobs(null);
		}

	}

	/**
	 * Write the actions of the operator to a file, to help investigate what happened to a
	 * job.
	 * @param file the file to create
	 */
	void write(Path file) throws IOException {
		Files.write(file, this.notes);
	}

	private enum Deed {

		RUN_NOW(true, JobPlace.SCHEDULED, JobPlace.RETRIES), RETRY(false, JobPlace.DEAD, JobPlace.RETRIES),
		KILL(false, JobPlace.READY, JobPlace.RETRIES), DELETE(false, JobPlace.READY, JobPlace.RETRIES, JobPlace.DEAD),
		RESCHEDULE(true, JobPlace.READY, JobPlace.RETRIES), EDIT(false, JobPlace.READY, JobPlace.RETRIES),
		MOVE(false, JobPlace.READY, JobPlace.RETRIES, JobPlace.DEAD), PAUSE(true);

		private final boolean keepsOrder;

		private final List<JobPlace> places;

		Deed(boolean keepsOrder, JobPlace... places) {
			this.keepsOrder = keepsOrder;
			this.places = List.of(places);
		}

	}

}
