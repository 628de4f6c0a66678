package io.github.steadyjobs.test;

import java.lang.reflect.AnnotatedElement;
import java.lang.reflect.Method;
import java.util.Comparator;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;

import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaModifier;
import com.tngtech.archunit.lang.ArchCondition;
import com.tngtech.archunit.lang.ConditionEvents;
import com.tngtech.archunit.lang.SimpleConditionEvent;
import io.github.steadyjobs.Job;
import io.github.steadyjobs.Recurring;

import org.springframework.core.MethodIntrospector;
import org.springframework.core.annotation.AnnotatedElementUtils;

/**
 * The condition of {@link JobRules#RECURRING_JOBS_DECLARE_IDEMPOTENCE}. Classes that do
 * not mention a recurring job are not loaded.
 */
final class DeclareRecurring extends ArchCondition<JavaClass> {

	DeclareRecurring() {
		super("declare each @Recurring job as @Idempotent or @NotIdempotent(\"why\")");
	}

	@Override
	public void check(JavaClass item, ConditionEvents events) {
		// Interfaces and abstract classes are checked as part of their subclasses.
		if (!item.isInterface() && !item.getModifiers().contains(JavaModifier.ABSTRACT)
				&& DeclareIdempotence.isAnnotatedAnywhere(item, List.of(Recurring.class, Recurring.Schedules.class))) {
			check(item, item.reflect(), events);
		}
	}

	private static void check(JavaClass item, Class<?> type, ConditionEvents events) {
		boolean isJob = AnnotatedElementUtils.hasAnnotation(type, Job.class);
		// Reflection returns methods in no particular order, but reports need a stable
		// order.
		Set<Method> methods = new TreeSet<>(Comparator.comparing(Method::toString));
		methods.addAll(MethodIntrospector.selectMethods(type, DeclareRecurring::recurs));
		for (Method method : methods) {
			if (!AnnotatedElementUtils.hasAnnotation(method, Job.class)
					&& !(isJob && DeclareIdempotence.isPerform(method))) {
				violated(item, events, "." + method.getName(),
						"has @Recurring but no @Job. Put @Job on it as well, or remove @Recurring.");
			}
			else {
				checkDeclaration(item, events, "." + method.getName(), Declaration.of(method, type));
			}
		}
		if (recurs(type) && !isJob) {
			violated(item, events, "",
					"has @Recurring but no @Job on the class. Put @Recurring beside the @Job " + "that it is for.");
		}
		else if (recurs(type)) {
			MethodIntrospector.selectMethods(type, DeclareIdempotence::isPerform)
				.forEach((method) -> checkDeclaration(item, events, "." + method.getName(),
						Declaration.of(method, type)));
		}
	}

	private static void checkDeclaration(JavaClass item, ConditionEvents events, String member,
			Declaration declaration) {
		if (!declaration.isPresent()) {
			violated(item, events, member,
					"is @Recurring and does not say what a second run does. Put @Idempotent beside @Job if that "
							+ "changes nothing more, or @NotIdempotent(\"why it is accepted\").");
		}
		else if (declaration.isContradictory()) {
			violated(item, events, member, "is @Recurring and says both @Idempotent and @NotIdempotent. Remove one.");
		}
		else if (declaration.lacksReason()) {
			violated(item, events, member,
					"is @Recurring, says @NotIdempotent and not why. Give the reason: " + "@NotIdempotent(\"…\").");
		}
	}

	private static boolean recurs(AnnotatedElement element) {
		return !AnnotatedElementUtils.findMergedRepeatableAnnotations(element, Recurring.class).isEmpty();
	}

	private static void violated(JavaClass item, ConditionEvents events, String member, String what) {
		events.add(SimpleConditionEvent.violated(item,
				item.getName() + member + " " + what + " " + item.getSourceCodeLocation()));
	}

}
