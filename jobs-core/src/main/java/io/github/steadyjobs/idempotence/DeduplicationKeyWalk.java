package io.github.steadyjobs.idempotence;

import java.lang.reflect.Field;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.lang.reflect.RecordComponent;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.BiConsumer;
import java.util.function.Predicate;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;

import io.github.steadyjobs.arguments.BeanMethod;
import org.jspecify.annotations.Nullable;

import org.springframework.core.DefaultParameterNameDiscoverer;
import org.springframework.core.MethodParameter;
import org.springframework.expression.spel.SpelNode;
import org.springframework.expression.spel.ast.Assign;
import org.springframework.expression.spel.ast.BeanReference;
import org.springframework.expression.spel.ast.CompoundExpression;
import org.springframework.expression.spel.ast.ConstructorReference;
import org.springframework.expression.spel.ast.FunctionReference;
import org.springframework.expression.spel.ast.Indexer;
import org.springframework.expression.spel.ast.InlineMap;
import org.springframework.expression.spel.ast.MethodReference;
import org.springframework.expression.spel.ast.OpDec;
import org.springframework.expression.spel.ast.OpInc;
import org.springframework.expression.spel.ast.Projection;
import org.springframework.expression.spel.ast.PropertyOrFieldReference;
import org.springframework.expression.spel.ast.Selection;
import org.springframework.expression.spel.ast.TypeReference;
import org.springframework.expression.spel.ast.VariableReference;
import org.springframework.util.ClassUtils;
import org.springframework.util.StringUtils;

/**
 * Walks a parsed key, reports what could not be evaluated whatever the arguments are, and
 * notes the variables. Used once.
 */
final class DeduplicationKeyWalk {

	private static final Set<Class<?>> REFUSED = Set.of(TypeReference.class, BeanReference.class,
			ConstructorReference.class, FunctionReference.class, Assign.class, OpInc.class, OpDec.class);

	// They need something to look into, which is what stands before them.
	private static final Set<Class<?>> RELATIVE = Set.of(PropertyOrFieldReference.class, MethodReference.class,
			Indexer.class, Projection.class, Selection.class);

	private final Map<String, Integer> variables = new HashMap<>();

	private final Parameters parameters;

	private final BiConsumer<String, String> problems;

	private boolean good = true;

	DeduplicationKeyWalk(BeanMethod method, BiConsumer<String, String> problems) {
		this.parameters = Parameters.of(method);
		this.problems = problems;
	}

	boolean isGood() {
		return this.good;
	}

	Map<String, Integer> variables() {
		return this.variables;
	}

	/**
	 * Walk an expression.
	 * @param node the expression
	 * @param inner whether it is inside of brackets, where names may refer to elements
	 */
	void walk(SpelNode node, boolean inner) {
		if (REFUSED.contains(node.getClass())) {
			report("has '%s' in it".formatted(node.toStringAST()),
					"Use arguments, their properties and their methods only: keys have no types, beans, functions, constructors and assignments.");
		}
		else if (node instanceof CompoundExpression) {
			walkChain(node, inner);
		}
		else if (node instanceof VariableReference) {
			walkVariable(node.toStringAST().substring(1), inner);
		}
		else {
			if (!inner && RELATIVE.contains(node.getClass())) {
				report("refers to '%s' of nothing".formatted(node.toStringAST()), this.parameters.advice());
			}
			walkChildren(node, inner);
		}
	}

	private void walkChain(SpelNode chain, boolean inner) {
		SpelNode first = chain.getChild(0);
		walk(first, inner);
		for (int index = 1; index < chain.getChildCount(); index++) {
			SpelNode next = chain.getChild(index);
			if (RELATIVE.contains(next.getClass())) {
				walkChildren(next, inner);
			}
			else {
				walk(next, inner);
			}
		}
		if (first instanceof VariableReference && chain.getChild(1) instanceof PropertyOrFieldReference property) {
			checkProperty(first.toStringAST(), property.getName());
		}
	}

	private void walkChildren(SpelNode node, boolean inner) {
		boolean brackets = node instanceof Projection || node instanceof Selection || node instanceof Indexer;
		for (int index = 0; index < node.getChildCount(); index++) {
			boolean key = node instanceof InlineMap && index % 2 == 0;
			walk(node.getChild(index), inner || brackets || key);
		}
	}

	private void walkVariable(String name, boolean inner) {
		if (inner && name.equals("this")) {
			return;
		}
		List<Integer> positions = this.parameters.positions(name);
		if (positions.size() == 1) {
			this.variables.put(name, positions.get(0));
		}
		else if (positions.size() > 1) {
			report("refers to '#%s', which is the name of one argument and the position of another".formatted(name),
					"Rename the parameter '%s'.".formatted(name));
		}
		else if (this.parameters.names() == null && !name.equals("root") && !name.equals("this")) {
			report("refers to '#%s', and the names of the parameters were not compiled in".formatted(name),
					"Compile with -parameters, or write #p0 for the first argument, #p1 for the second one.");
		}
		else {
			report("refers to '#%s', which is no argument".formatted(name), this.parameters.advice());
		}
	}

	private void checkProperty(String variable, String property) {
		Integer position = this.variables.get(variable.substring(1));
		if (position == null) {
			return;
		}
		Class<?> type = this.parameters.types().get(position);
		if (!Properties.mayHave(type, property)) {
			report("refers to '%s.%s', and %s has no such property".formatted(variable, property, type.getName()),
					Properties.advice(type));
		}
	}

	private void report(String what, String action) {
		this.good = false;
		this.problems.accept(what, action);
	}

	/**
	 * The parameters that a key can refer to.
	 *
	 * @param types their declared classes
	 * @param names their names, or {@code null} if these were not compiled in
	 */
	private record Parameters(List<Class<?>> types, @Nullable List<String> names) {

		private static final Pattern POSITION = Pattern.compile("p(0|[1-9]\\d{0,2})");

		static Parameters of(BeanMethod job) {
			Method method = job.method();
			// The context of a run is none: it is not there when the job is enqueued.
			int count = method.getParameterCount() - (job.takesContext() ? 1 : 0);
			List<Class<?>> types = new ArrayList<>();
			for (int index = 0; index < count; index++) {
				types.add(new MethodParameter(method, index).withContainingClass(job.type()).getParameterType());
			}
			@Nullable String @Nullable [] names = DefaultParameterNameDiscoverer.getSharedInstance().getParameterNames(method);
			return new Parameters(types, (names != null) ? List.of(names).subList(0, count) : null);
		}

		/**
		 * Return the positions of the arguments that a variable may stand for.
		 * @param variable the name of the variable
		 * @return none, one, or two where a parameter has the name of another one's
		 * position
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
				.mapToObj((position) -> (this.names != null)
						? "#%s or #p%d".formatted(this.names.get(position), position) : "#p" + position)
				.collect(Collectors.joining(", ")));
		}

	}

	/**
	 * Tells which properties an expression can read, as far as a declared class does.
	 */
	private static final class Properties {

		private Properties() {
		}

		static boolean mayHave(Class<?> declared, String property) {
			Class<?> type = ClassUtils.resolvePrimitiveIfNecessary(declared);
			// The one has the properties that are put into it, the other those of its
			// value.
			if (Map.class.isAssignableFrom(type) || type == Optional.class || type == Object.class) {
				return true;
			}
			if (type.isArray()) {
				return property.equals("length");
			}
			String capitalized = StringUtils.capitalize(property);
			List<String> getters = List.of(property, "get" + capitalized, "is" + capitalized);
			return methods(type).anyMatch((method) -> getters.contains(method.getName()))
					|| fields(type).anyMatch((field) -> field.getName().equals(property));
		}

		/**
		 * Say which properties a class has.
		 * @param type the class
		 * @return a sentence
		 */
		static String advice(Class<?> type) {
			Stream<String> names = type.isRecord() ? Stream.of(type.getRecordComponents()).map(RecordComponent::getName)
					: Stream.concat(methods(type).map(Method::getName).flatMap(Properties::propertyOf),
							fields(type).map(Field::getName));
			List<String> sorted = names.filter(Predicate.not(String::isEmpty)).distinct().sorted().toList();
			return sorted.isEmpty() ? "Use the argument itself."
					: "Use one that it has: %s.".formatted(String.join(", ", sorted));
		}

		private static Stream<Method> methods(Class<?> type) {
			return Stream.of(type.getMethods())
				.filter((method) -> method.getParameterCount() == 0 && method.getReturnType() != void.class
						&& method.getDeclaringClass() != Object.class && !Modifier.isStatic(method.getModifiers()));
		}

		private static Stream<Field> fields(Class<?> type) {
			return Stream.of(type.getFields()).filter((field) -> !Modifier.isStatic(field.getModifiers()));
		}

		private static Stream<String> propertyOf(String getter) {
			return Stream.of("get", "is")
				.filter((prefix) -> getter.startsWith(prefix) && getter.length() > prefix.length())
				.map((prefix) -> StringUtils.uncapitalizeAsProperty(getter.substring(prefix.length())));
		}

	}

}
