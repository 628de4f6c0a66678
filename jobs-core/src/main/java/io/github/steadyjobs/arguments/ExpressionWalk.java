package io.github.steadyjobs.arguments;

import java.beans.PropertyDescriptor;
import java.lang.reflect.Field;
import java.lang.reflect.Modifier;
import java.lang.reflect.Type;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.BiConsumer;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import io.github.steadyjobs.arguments.ArgumentExpression.Attribute;
import org.jspecify.annotations.Nullable;

import org.springframework.beans.BeanUtils;
import org.springframework.core.DefaultParameterNameDiscoverer;
import org.springframework.core.ResolvableType;
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
 * Walks a parsed expression, reports what no arguments could evaluate, and notes the
 * variables. Used once.
 */
final class ExpressionWalk {

	private static final Set<Class<?>> REFUSED = Set.of(TypeReference.class, BeanReference.class,
			ConstructorReference.class, FunctionReference.class, Assign.class, OpInc.class, OpDec.class);

	// They apply to the expression before them.
	private static final Set<Class<?>> RELATIVE = Set.of(PropertyOrFieldReference.class, MethodReference.class,
			Indexer.class, Projection.class, Selection.class);

	private final Map<String, Integer> variables = new HashMap<>();

	private final List<Class<?>> types = new ArrayList<>();

	// Two positions where one parameter has the name of another one's position.
	private final Map<String, Set<Integer>> positions = new HashMap<>();

	private final List<String> known = new ArrayList<>();

	private final boolean named;

	private final String attribute;

	private final BiConsumer<String, String> problems;

	private boolean good = true;

	ExpressionWalk(Attribute attribute, BiConsumer<String, String> problems) {
		this.attribute = attribute.name();
		this.problems = problems;
		// Without the context of a run: it is not there when the job is enqueued.
		List<Type> types = attribute.types();
		@Nullable String @Nullable [] names = DefaultParameterNameDiscoverer.getSharedInstance()
			.getParameterNames(attribute.method().method());
		this.named = names != null;
		boolean gathered = !types.equals(attribute.method().argumentTypes());
		for (int index = 0; index < types.size(); index++) {
			this.types.add(ResolvableType.forType(types.get(index)).toClass());
			List<String> variables = new ArrayList<>();
			if (names != null && !gathered) {
				variables.add(names[index]);
			}
			variables.add("p" + index);
			if (attribute.payload() != null) {
				variables.add("payload");
			}
			for (String variable : variables) {
				this.positions.computeIfAbsent(variable, (name) -> new HashSet<>()).add(index);
			}
			this.known.add("#" + String.join(" or #", variables));
		}
	}

	boolean isGood() {
		return this.good;
	}

	Map<String, Integer> variables() {
		return this.variables;
	}

	/**
	 * Walk an expression.
	 * @param inner whether it is inside of brackets, where names may refer to elements
	 */
	void walk(SpelNode node, boolean inner) {
		if (REFUSED.contains(node.getClass())) {
			report("has '%s' in it".formatted(node.toStringAST()),
					"Use arguments, their properties and their methods only: %ss have no types, beans, functions, constructors and assignments."
						.formatted(this.attribute));
		}
		else if (node instanceof CompoundExpression) {
			walkChain(node, inner);
		}
		else if (node instanceof VariableReference) {
			walkVariable(node.toStringAST().substring(1), inner);
		}
		else {
			if (!inner && RELATIVE.contains(node.getClass())) {
				report("refers to '%s' of nothing".formatted(node.toStringAST()), advice());
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
		Set<Integer> positions = this.positions.getOrDefault(name, Set.of());
		if (positions.size() == 1) {
			this.variables.put(name, positions.iterator().next());
		}
		else if (positions.size() > 1) {
			report("refers to '#%s', which is the name of one argument and the position of another".formatted(name),
					"Rename the parameter '%s'.".formatted(name));
		}
		else if (!this.named && !name.equals("root") && !name.equals("this")) {
			report("refers to '#%s', and the names of the parameters were not compiled in".formatted(name),
					"Compile with -parameters, or write #p0 for the first argument, #p1 for the second one.");
		}
		else {
			report("refers to '#%s', which is no argument".formatted(name), advice());
		}
	}

	private void checkProperty(String variable, String property) {
		Integer position = this.variables.get(variable.substring(1));
		if (position == null) {
			return;
		}
		Class<?> type = this.types.get(position);
		if (!mayHave(ClassUtils.resolvePrimitiveIfNecessary(type), property)) {
			String known = propertiesOf(type);
			report("refers to '%s.%s', and %s has no such property".formatted(variable, property, type.getName()),
					known.isEmpty() ? "Use the argument itself." : "Use one that it has: %s.".formatted(known));
		}
	}

	private static boolean mayHave(Class<?> type, String property) {
		// A map has the properties that are put into it, an Optional those of its value.
		if (Map.class.isAssignableFrom(type) || type == Optional.class || type == Object.class) {
			return true;
		}
		if (type.isArray()) {
			return property.equals("length");
		}
		String capitalized = StringUtils.capitalize(property);
		return fields(type).anyMatch(property::equals) || Stream.of(property, "get" + capitalized, "is" + capitalized)
			.map((name) -> ClassUtils.getMethodIfAvailable(type, name, new Class<?>[0]))
			.anyMatch((method) -> method != null && method.getReturnType() != void.class
					&& method.getDeclaringClass() != Object.class && !Modifier.isStatic(method.getModifiers()));
	}

	private static String propertiesOf(Class<?> type) {
		Stream<String> readable = Stream.of(BeanUtils.getPropertyDescriptors(type))
			.filter((property) -> property.getReadMethod() != null && !property.getName().equals("class"))
			.map(PropertyDescriptor::getName);
		return Stream.concat(readable, fields(type)).distinct().sorted().collect(Collectors.joining(", "));
	}

	private static Stream<String> fields(Class<?> type) {
		return Stream.of(type.getFields())
			.filter((field) -> !Modifier.isStatic(field.getModifiers()))
			.map(Field::getName);
	}

	private void report(String what, String action) {
		this.good = false;
		this.problems.accept(what, action);
	}

	private String advice() {
		return this.types.isEmpty()
				? "Remove the %s, or make it a constant: the job has no arguments that could differ."
					.formatted(this.attribute)
				: "Refer to an argument: %s.".formatted(String.join(", ", this.known));
	}

}
