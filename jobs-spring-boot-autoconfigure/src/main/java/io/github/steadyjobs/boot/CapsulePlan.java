package io.github.steadyjobs.boot;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Collectors;

import io.github.steadyjobs.definition.JobDefinition;
import io.github.steadyjobs.definition.JobRegistry;
import io.github.steadyjobs.server.Capsule;
import io.github.steadyjobs.server.Capsule.Order;
import io.github.steadyjobs.server.FetchFilter;
import io.github.steadyjobs.server.QueueSelector;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import org.springframework.util.function.SingletonSupplier;

/**
 * Creates capsules from the properties and from the queues named by jobs.
 */
final class CapsulePlan {

	private static final Logger logger = LoggerFactory.getLogger(CapsulePlan.class);

	private static final String DEFAULT = "default";

	private final JobsProperties properties;

	private final JobRegistry registry;

	private final Map<String, QueueSelector> selectors;

	private final List<FetchFilter> filters;

	// Created at first use, because the jobs are known only when all beans exist.
	private final SingletonSupplier<List<Capsule>> capsules = SingletonSupplier.of(this::create);

	CapsulePlan(JobsProperties properties, JobRegistry registry, Map<String, QueueSelector> selectors,
			List<FetchFilter> filters) {
		this.properties = properties;
		this.registry = registry;
		this.selectors = selectors;
		this.filters = filters;
	}

	List<Capsule> capsules() {
		return this.capsules.obtain();
	}

	private List<Capsule> create() {
		this.registry.definitions().forEach(this::checkDelivery);
		List<Capsule> capsules = new ArrayList<>();
		Set<String> known = knownQueues();
		Set<String> remaining = new LinkedHashSet<>(known);
		Map<String, JobsProperties.Capsule> configured = new LinkedHashMap<>(this.properties.capsules());
		JobsProperties.Capsule fallback = configured.get(DEFAULT);
		if (fallback == null || fallback.queues().isEmpty()) {
			configured.remove(DEFAULT);
		}
		configured.forEach((name, capsule) -> {
			Capsule built = create(name, capsule);
			warnAboutUnknown(built, known);
			warnAboutShared(built, capsules);
			built.queues().forEach((queue) -> remaining.remove(queue.name()));
			capsules.add(built);
		});
		if (!remaining.isEmpty()) {
			if (configured.containsKey(DEFAULT)) {
				logger.info(
						"Jobs of the queues {} do not run in this process: no capsule lists these queues, and "
								+ "'steadyjobs.capsules.default.queues' keeps the capsule 'default' to others",
						remaining);
			}
			else {
				capsules.add(0, createDefault(fallback, remaining));
			}
		}
		return capsules;
	}

	private Set<String> knownQueues() {
		Set<String> queues = new LinkedHashSet<>(this.properties.queues().keySet());
		this.registry.definitions().stream().map(JobDefinition::queue).sorted().forEach(queues::add);
		if (queues.isEmpty()) {
			queues.add(DEFAULT);
		}
		return queues;
	}

	private Capsule create(String name, JobsProperties.Capsule capsule) {
		List<Capsule.Queue> queues = capsule.specs(name).stream().map(this::queue).toList();
		return create(name, capsule, queues);
	}

	private Capsule createDefault(JobsProperties.@Nullable Capsule capsule, Set<String> names) {
		List<Capsule.Queue> queues = names.stream().map((name) -> queue(new QueueSpec(name, null))).toList();
		JobsProperties.Capsule settings = (capsule != null) ? capsule : JobsProperties.Capsule.USUAL;
		settings.check(DEFAULT, this.properties.liveness().deathAfter());
		return create(DEFAULT, settings, queues);
	}

	private Capsule create(String name, JobsProperties.Capsule capsule, List<Capsule.Queue> queues) {
		Order builtIn = capsule.builtInOrder();
		QueueSelector selector = (builtIn == null) ? this.selectors.get(capsule.order()) : null;
		JobsPropertyException.throwUnless(builtIn != null || selector != null,
				"steadyjobs.capsules.%s.order".formatted(name), capsule.order(),
				"Use 'weighted', 'strict', 'random', 'round-robin' or 'lag', or the name of a QueueSelector bean. "
						+ (this.selectors.isEmpty() ? "There is no such bean."
								: "There are '%s'.".formatted(String.join("', '", this.selectors.keySet()))));
		return new Capsule(name, capsule.concurrency(), (builtIn != null) ? builtIn : Order.STRICT,
				capsule.claimAhead(), queues, new Capsule.Rules(selector, this.filters));
	}

	private Capsule.Queue queue(QueueSpec spec) {
		JobsProperties.Queue configured = this.properties.queues().get(spec.name());
		int usual = (configured != null) ? configured.weight() : 1;
		int weight = (spec.weight() != null) ? spec.weight() : usual;
		return this.registry.definitions()
			.stream()
			.filter((job) -> job.queue().equals(spec.name()))
			.map(JobDefinition::sequence)
			.filter(Objects::nonNull)
			.findAny()
			.map((sequence) -> Capsule.Queue.inParts(spec.name(), weight, sequence.shards(), sequence.batchSize()))
			.orElseGet(() -> new Capsule.Queue(spec.name(), weight, isAtMostOnce(spec.name())));
	}

	private boolean isAtMostOnce(String queue) {
		JobsProperties.Queue configured = this.properties.queues().get(queue);
		return configured != null && configured.delivery() == JobsProperties.Delivery.AT_MOST_ONCE;
	}

	private void checkDelivery(JobDefinition job) {
		JobsPropertyException.throwUnless(job.sequence() == null || !isAtMostOnce(job.queue()),
				"steadyjobs.queues.%s.delivery".formatted(job.queue()), "at-most-once",
				"Remove it: job '%s' is @Sequential, and its payloads gather until they are done, so they run at least once."
					.formatted(job.name()));
	}

	private static void warnAboutShared(Capsule capsule, List<Capsule> others) {
		Set<String> queues = capsule.queues().stream().map(Capsule.Queue::name).collect(Collectors.toSet());
		for (Capsule other : others) {
			other.queues()
				.stream()
				.map(Capsule.Queue::name)
				.filter(queues::contains)
				.forEach((queue) -> logger.warn(
						"The capsules '{}' and '{}' both serve the queue '{}', so its jobs get workers of both. If that is "
								+ "not intended, remove it from 'steadyjobs.capsules.{}.queues' or from "
								+ "'steadyjobs.capsules.{}.queues'",
						other.name(), capsule.name(), queue, other.name(), capsule.name()));
		}
	}

	private void warnAboutUnknown(Capsule capsule, Set<String> known) {
		for (Capsule.Queue queue : capsule.queues()) {
			if (!known.contains(queue.name())) {
				logger.warn("Capsule '{}' serves the queue '{}', which neither 'steadyjobs.queues' nor a @Job of this "
						+ "application names. If other applications fill it, set 'steadyjobs.queues.{}.weight' to say "
						+ "so; otherwise correct 'steadyjobs.capsules.{}.queues'. Known are: {}", capsule.name(),
						queue.name(), queue.name(), capsule.name(), String.join(", ", known));
			}
		}
	}

}
