package io.github.steadyjobs.arguments;

import java.beans.PropertyDescriptor;
import java.lang.reflect.Field;
import java.lang.reflect.Modifier;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.BiConsumer;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;

import io.github.steadyjobs.arguments.ExpressionScope.Variable;
import org.jspecify.annotations.Nullable;

import org.springframework.beans.BeanUtils;
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
 * Walks a parsed expression. Collects its variables, and reports the parts that cannot be
 * evaluated for any values of these variables. Used once.
 */
final class ExpressionWalk {

	private static final Set<Class<?>> REFUSED = Set.of(TypeReference.class, BeanReference.class,
			ConstructorReference.class, FunctionReference.class, Assign.class, OpInc.class, OpDec.class);

	// Nodes that apply to the expression before them.
	private static final Set<Class<?>> RELATIVE = Set.of(PropertyOrFieldReference.class, MethodReference.class,
			Indexer.class, Projection.class, Selection.class);

	private final Map<String, Integer> variables = new HashMap<>();

	private final ExpressionScope scope;

	private final BiConsumer<String, String> problems;

	private boolean good = true;

	ExpressionWalk(ExpressionScope scope, BiConsumer<String, String> problems) {
		this.scope = scope;
		this.problems = problems;
	}

	boolean isGood() {
		return this.good;
	}

	Map<String, Integer> variables() {
		return this.variables;
	}

	/**
	 * Walk a part of the expression.
	 * @param before the preceding part, to which this part applies, or {@code null}
	 * @param inner whether this part is inside brackets, where a name may refer to an
	 * element
	 */
	void walk(SpelNode node, @Nullable SpelNode before, boolean inner) {
		if (REFUSED.contains(node.getClass())) {
			report("has '%s' in it".formatted(node.toStringAST()),
					"Use only variables (%s), their properties and their methods: types, beans, functions, constructors and assignments are not available."
						.formatted(this.scope.describe()));
			return;
		}
		if (RELATIVE.contains(node.getClass()) && before == null && !inner) {
			report("refers to '%s' of nothing".formatted(node.toStringAST()), advice());
		}
		if (node instanceof VariableReference) {
			walkVariable(node.toStringAST().substring(1), inner);
		}
		if (node instanceof PropertyOrFieldReference property && before instanceof VariableReference) {
			checkProperty(before.toStringAST(), property.getName());
		}
		boolean brackets = node instanceof Projection || node instanceof Selection || node instanceof Indexer;
		for (int index = 0; index < node.getChildCount(); index++) {
			SpelNode applied = (node instanceof CompoundExpression && index > 0) ? node.getChild(index - 1) : null;
			boolean key = node instanceof InlineMap && index % 2 == 0;
			walk(node.getChild(index), applied, inner || brackets || key);
		}
	}

	private void walkVariable(String name, boolean inner) {
		if (inner && name.equals("this")) {
			return;
		}
		List<Variable> known = this.scope.variables();
		List<Integer> positions = IntStream.range(0, known.size())
			.filter((index) -> known.get(index).names().contains(name))
			.boxed()
			.toList();
		if (positions.size() == 1) {
			this.variables.put(name, positions.get(0));
		}
		else if (positions.size() > 1) {
			report("refers to '#%s', the name of one argument and the position of another".formatted(name),
					"Rename the parameter '%s'.".formatted(name));
		}
		else if (!this.scope.named() && !name.equals("root") && !name.equals("this")) {
			report("refers to '#%s', but the names of the parameters were not compiled in".formatted(name),
					"Compile with -parameters, or write #p0 for the first argument, #p1 for the second one.");
		}
		else {
			report("refers to '#%s', an unknown variable".formatted(name), advice());
		}
	}

	private void checkProperty(String variable, String property) {
		Integer position = this.variables.get(variable.substring(1));
		if (position == null) {
			return;
		}
		Class<?> type = this.scope.variables().get(position).type();
		if (!mayHave(ClassUtils.resolvePrimitiveIfNecessary(type), property)) {
			String known = propertiesOf(type);
			report("refers to '%s.%s', but %s has no such property".formatted(variable, property, type.getName()),
					known.isEmpty() ? "Use the argument itself." : "Use one that it has: %s.".formatted(known));
		}
	}

	private static boolean mayHave(Class<?> type, String property) {
		// The properties of a map are its entries; the properties of an Optional are the
		// properties of its value.
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
		this.problems.accept("which " + what, action);
	}

	private String advice() {
		return this.scope.variables().isEmpty()
				? "Remove the %s, or make it a constant: the job has no arguments that could differ."
					.formatted(this.scope.attribute())
				: "Refer to %s.".formatted(this.scope.describe());
	}

}
