package io.github.steadyjobs.definition;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.BiConsumer;

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

/**
 * Walks a parsed key, reports what could not be evaluated whatever the arguments are, and
 * notes the variables. Used once.
 */
final class KeyWalk {

	private static final Set<Class<?>> REFUSED = Set.of(TypeReference.class, BeanReference.class,
			ConstructorReference.class, FunctionReference.class, Assign.class, OpInc.class, OpDec.class);

	// They need something to look into, which is what stands before them.
	private static final Set<Class<?>> RELATIVE = Set.of(PropertyOrFieldReference.class, MethodReference.class,
			Indexer.class, Projection.class, Selection.class);

	private final Map<String, Integer> variables = new HashMap<>();

	private final KeyParameters parameters;

	private final BiConsumer<String, String> problems;

	private boolean good = true;

	KeyWalk(KeyParameters parameters, BiConsumer<String, String> problems) {
		this.parameters = parameters;
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
		if (!KeyProperties.mayHave(type, property)) {
			report("refers to '%s.%s', and %s has no such property".formatted(variable, property, type.getName()),
					KeyProperties.advice(type));
		}
	}

	private void report(String what, String action) {
		this.good = false;
		this.problems.accept(what, action);
	}

}
