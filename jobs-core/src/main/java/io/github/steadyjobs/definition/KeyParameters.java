package io.github.steadyjobs.definition;

import java.lang.reflect.Method;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

import org.jspecify.annotations.Nullable;

import org.springframework.core.DefaultParameterNameDiscoverer;
import org.springframework.core.MethodParameter;

/**
 * The parameters that a key can refer to.
 *
 * @param types their declared classes
 * @param names their names, or {@code null} if these were not compiled in
 */
record KeyParameters(List<Class<?>> types, @Nullable List<String> names) {

	private static final Pattern POSITION = Pattern.compile("p(0|[1-9]\\d{0,2})");

	static KeyParameters of(JobMethod job) {
		Method method = job.method();
		// The context of a run is none: it is not there when the job is enqueued.
		int count = method.getParameterCount() - (job.takesContext() ? 1 : 0);
		List<Class<?>> types = new ArrayList<>();
		for (int index = 0; index < count; index++) {
			types.add(new MethodParameter(method, index).withContainingClass(job.type()).getParameterType());
		}
		@Nullable String @Nullable [] names = DefaultParameterNameDiscoverer.getSharedInstance().getParameterNames(method);
		return new KeyParameters(types, (names != null) ? List.of(names).subList(0, count) : null);
	}

	/**
	 * Return the positions of the arguments that a variable may stand for.
	 * @param variable the name of the variable
	 * @return none, one, or two where a parameter has the name of another one's position
	 */
	List<Integer> positions(String variable) {
		List<Integer> positions = new ArrayList<>();
		if (this.names != null && this.names.contains(variable)) {
			positions.add(this.names.indexOf(variable));
		}
		if (POSITION.matcher(variable).matches()) {
			Integer position = Integer.valueOf(variable.substring(1));
			if (position < this.types.size() && !positions.contains(position)) {
				positions.add(position);
			}
		}
		return positions;
	}

	/**
	 * Say what a key can refer to.
	 * @return a sentence
	 */
	String advice() {
		if (this.types.isEmpty()) {
			return "Remove the key: the job has no arguments that could differ.";
		}
		return "Refer to an argument: %s.".formatted(IntStream.range(0, this.types.size())
			.mapToObj((position) -> (this.names != null) ? "#%s or #p%d".formatted(this.names.get(position), position)
					: "#p" + position)
			.collect(Collectors.joining(", ")));
	}

}
