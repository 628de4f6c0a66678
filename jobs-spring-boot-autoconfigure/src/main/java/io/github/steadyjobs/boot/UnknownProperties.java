package io.github.steadyjobs.boot;

import java.lang.reflect.ParameterizedType;
import java.lang.reflect.RecordComponent;
import java.lang.reflect.Type;
import java.time.Duration;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;

import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import org.springframework.boot.context.properties.bind.DataObjectPropertyName;
import org.springframework.boot.context.properties.source.ConfigurationProperty;
import org.springframework.boot.context.properties.source.ConfigurationPropertyName;
import org.springframework.boot.context.properties.source.ConfigurationPropertyName.Form;
import org.springframework.boot.context.properties.source.ConfigurationPropertySource;
import org.springframework.boot.context.properties.source.ConfigurationPropertySources;
import org.springframework.boot.context.properties.source.IterableConfigurationPropertySource;
import org.springframework.boot.context.properties.source.UnboundElementsSourceFilter;
import org.springframework.boot.origin.Origin;
import org.springframework.core.env.Environment;
import org.springframework.util.ClassUtils;

/**
 * Warns at start-up about unknown properties below {@code steadyjobs}, and suggests the
 * properties that were probably meant. The application still starts, because applications
 * and releases may share their configuration. Environment variables are not checked,
 * because their names are ambiguous; Spring Boot excludes them from its own reports too.
 */
final class UnknownProperties {

	private static final Logger logger = LoggerFactory.getLogger(UnknownProperties.class);

	private static final ConfigurationPropertyName ROOT = ConfigurationPropertyName.of("steadyjobs");

	private static final int MOST_MISTAKES = 2;

	private static final boolean HAS_ADMIN = ClassUtils.isPresent("io.github.steadyjobs.doctor.Doctor", null);

	private UnknownProperties() {
	}

	static void warn(Environment environment) {
		Set<ConfigurationPropertyName> seen = new HashSet<>();
		UnboundElementsSourceFilter filter = new UnboundElementsSourceFilter();
		for (ConfigurationPropertySource source : ConfigurationPropertySources.get(environment)) {
			if (filter.apply(source) && source instanceof IterableConfigurationPropertySource iterable) {
				iterable.stream().filter(ROOT::isAncestorOf).filter(seen::add).forEach((name) -> check(name, source));
			}
		}
	}

	private static void check(ConfigurationPropertyName name, ConfigurationPropertySource source) {
		String advice = findAdvice(name);
		if (advice != null) {
			ConfigurationProperty property = source.getConfigurationProperty(name);
			Origin origin = (property != null) ? property.getOrigin() : null;
			logger.warn("The property '{}'{} changes nothing, because there is no such property. {}", name,
					(origin != null) ? " (" + origin + ")" : "", advice);
		}
	}

	/**
	 * Find out whether a property exists, by following the elements of its name through
	 * the records to which it would be bound.
	 * @return a suggestion, or {@code null} if the name belongs to a property
	 */
	private static @Nullable String findAdvice(ConfigurationPropertyName name) {
		Type type = JobsProperties.class;
		boolean behindKey = false;
		for (int index = 1; index < name.getNumberOfElements(); index++) {
			if (type instanceof ParameterizedType container) {
				if (container.getRawType() == List.class && !name.isNumericIndex(index)) {
					return "'%s' is a list.".formatted(name.chop(index));
				}
				Type[] arguments = container.getActualTypeArguments();
				type = arguments[arguments.length - 1];
				behindKey = true;
			}
			else if (type == DoctorProperties.class && !HAS_ADMIN) {
				return "Add jobs-admin, which has the doctor.";
			}
			else if (type instanceof Class<?> owner && owner.isRecord()) {
				RecordComponent component = components(owner).get(name.getElement(index, Form.UNIFORM));
				if (component == null) {
					return advice(name, index, owner, behindKey);
				}
				type = component.getGenericType();
				behindKey = false;
			}
			else {
				// Overrides of single jobs are checked where they are read.
				return behindKey ? null : "'%s' has a value of its own.".formatted(name.chop(index));
			}
		}
		return null;
	}

	private static String advice(ConfigurationPropertyName name, int index, Class<?> owner, boolean behindKey) {
		Map<String, RecordComponent> components = components(owner);
		for (int next = index + 1; behindKey && next < name.getNumberOfElements(); next++) {
			if (components.containsKey(name.getElement(next, Form.UNIFORM))) {
				String key = name.subName(index - 1).chop(next - index + 1).toString();
				return "Did you mean '%s'?"
					.formatted(name.chop(index - 1).append("[" + key + "]").append(name.subName(next)));
			}
		}
		ConfigurationPropertyName parent = name.chop(index);
		Set<String> known = components.values()
			.stream()
			.map((component) -> DataObjectPropertyName.toDashedForm(component.getName()))
			.collect(Collectors.toCollection(TreeSet::new));
		String wrong = name.getElement(index, Form.DASHED);
		String nearest = known.stream().min(Comparator.comparingInt((right) -> mistakes(right, wrong))).orElseThrow();
		if (mistakes(nearest, wrong) <= MOST_MISTAKES) {
			return "Did you mean '%s'?".formatted(parent.append(nearest).append(name.subName(index + 1)));
		}
		return known.stream()
			.map((right) -> parent.append(right).toString())
			.collect(Collectors.joining("', '", "There are '", "'."));
	}

	private static Map<String, RecordComponent> components(Class<?> owner) {
		Stream<Class<?>> owners = (owner == JobsProperties.class) ? Stream.of(owner, OtherModules.class)
				: Stream.of(owner);
		return owners.map(Class::getRecordComponents)
			.flatMap(Arrays::stream)
			.collect(
					Collectors.toMap((component) -> component.getName().toLowerCase(Locale.ROOT), Function.identity()));
	}

	/**
	 * Return how many letters must be changed, added or removed to turn one text into the
	 * other.
	 */
	private static int mistakes(String right, String wrong) {
		int[] costs = IntStream.rangeClosed(0, wrong.length()).toArray();
		for (int i = 1; i <= right.length(); i++) {
			int diagonal = costs[0];
			costs[0] = i;
			for (int j = 1; j <= wrong.length(); j++) {
				int replaced = diagonal + ((right.charAt(i - 1) != wrong.charAt(j - 1)) ? 1 : 0);
				diagonal = costs[j];
				costs[j] = Math.min(replaced, Math.min(costs[j], costs[j - 1]) + 1);
			}
		}
		return costs[wrong.length()];
	}

	/**
	 * The properties of modules that may be absent. No values are bound to this record.
	 */
	private record OtherModules(Dashboard dashboard, Embedded embedded, Sidekiq sidekiq, DoctorProperties doctor,
			HistoryProperties history) {
	}

	/**
	 * The names and types of the properties of {@code jobs-dashboard}.
	 */
	record Dashboard(boolean enabled, String path, String port, String title, boolean open, boolean readOnly,
			String showValues, DashboardRoles roles, Duration lateAfter) {
	}

	/**
	 * The names and types of the roles of {@code jobs-dashboard}.
	 */
	record DashboardRoles(Set<String> view, Set<String> operate, Set<String> administer) {
	}

	/**
	 * The names and types of the properties of {@code jobs-embedded-redis}.
	 */
	record Embedded(boolean enabled, String executable, int port) {
	}

	/**
	 * The names and types of the properties of {@code jobs-sidekiq}.
	 */
	record Sidekiq(boolean enabled, Map<String, String> queues, Map<String, String> jobs, String namespace, String url,
			Duration pollInterval) {
	}

}
