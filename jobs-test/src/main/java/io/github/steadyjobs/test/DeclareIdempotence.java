package io.github.steadyjobs.test;

import java.lang.annotation.Annotation;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.util.Comparator;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Predicate;
import java.util.stream.Stream;

import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.properties.CanBeAnnotated;
import com.tngtech.archunit.lang.ArchCondition;
import com.tngtech.archunit.lang.ConditionEvents;
import com.tngtech.archunit.lang.SimpleConditionEvent;
import io.github.steadyjobs.Idempotent;
import io.github.steadyjobs.Job;
import io.github.steadyjobs.NotIdempotent;
import io.github.steadyjobs.Sequential;

import org.springframework.core.MethodIntrospector;
import org.springframework.core.annotation.AnnotatedElementUtils;

/**
 * The condition of {@link JobRules#DECLARE_IDEMPOTENCE}. Classes that do not mention a
 * job are not loaded.
 */
final class DeclareIdempotence extends ArchCondition<JavaClass> {

	private static final List<Class<? extends Annotation>> MARKS = List.of(Job.class, Idempotent.class,
			NotIdempotent.class);

	DeclareIdempotence() {
		super("declare each @Job as @Idempotent or @NotIdempotent(\"why\")");
	}

	@Override
	public void check(JavaClass type, ConditionEvents events) {
		// Meta-annotations are checked in the places where they are used.
		if (!type.isAnnotation() && isAnnotatedAnywhere(type, MARKS)) {
			new ClassCheck(type, type.reflect(), events).run();
		}
	}

	/**
	 * Return whether a class, one of its supertypes, or a method of one of these types
	 * has one of the annotations, directly or as a meta-annotation.
	 */
	static boolean isAnnotatedAnywhere(JavaClass type, List<Class<? extends Annotation>> marks) {
		return Stream.of(Stream.of(type), type.getAllRawSuperclasses().stream(), type.getAllRawInterfaces().stream())
			.flatMap((members) -> members)
			.flatMap((member) -> Stream.concat(Stream.<CanBeAnnotated>of(member), member.getMethods().stream()))
			.anyMatch((element) -> marks.stream().anyMatch((mark) -> element.isMetaAnnotatedWith(mark)));
	}

	/**
	 * Return whether a method is the job method if its class is itself a job.
	 */
	static boolean isPerform(Method method) {
		return method.getName().equals("perform") && Modifier.isPublic(method.getModifiers());
	}

	/**
	 * Checks the declarations of one class and of its methods.
	 */
	private record ClassCheck(JavaClass item, Class<?> type, ConditionEvents events) {

		void run() {
			Declaration onClass = Declaration.on(this.type);
			checkItself(onClass, "the class", "");
			if (this.type.isInterface() || Modifier.isAbstract(this.type.getModifiers())) {
				if (onClass.isPresent()) {
					violated("", "is no bean, and what it says does not count for the classes below it. Say it there, "
							+ "or on the methods.");
				}
				return;
			}
			Set<Method> jobs = jobs();
			if (onClass.isPresent() && jobs.isEmpty()) {
				violated("", "declares its jobs, but has none. Remove that, or put @Job on the methods that are jobs.");
			}
			jobs.forEach(this::checkJob);
			for (Method method : select((candidate) -> Declaration.on(candidate).isPresent())) {
				checkItself(Declaration.on(method), "the method", "." + method.getName());
				if (!jobs.contains(method)) {
					violated("." + method.getName(), "declares a job, but is not one. Remove that, or add @Job.");
				}
			}
		}

		private void checkJob(Method job) {
			Declaration declaration = Declaration.of(job, this.type);
			if (isSequential(job)) {
				if (declaration.idempotent()) {
					violated("." + job.getName(), "is both @Sequential and @Idempotent. Remove @Idempotent, or put "
							+ "@NotIdempotent(\"…\") beside @Job if it is on the class for other jobs.");
				}
			}
			else if (!declaration.isPresent()) {
				violated("." + job.getName(),
						"is a @Job and does not say what a second run does. Put @Idempotent beside @Job if that "
								+ "changes nothing more, or @NotIdempotent(\"why it is accepted\").");
			}
		}

		/** An annotation on a class applies only if the class itself is the job. */
		private boolean isSequential(Method job) {
			return AnnotatedElementUtils.hasAnnotation(job, Sequential.class)
					|| (!AnnotatedElementUtils.hasAnnotation(job, Job.class)
							&& AnnotatedElementUtils.hasAnnotation(this.type, Sequential.class));
		}

		private void checkItself(Declaration declaration, String place, String member) {
			if (declaration.isContradictory()) {
				violated(member, "says both @Idempotent and @NotIdempotent. Remove one from " + place + ".");
			}
			else if (declaration.lacksReason()) {
				violated(member, "says @NotIdempotent and not why. Give the reason and what guards against a second "
						+ "run: @NotIdempotent(\"…\").");
			}
		}

		private Set<Method> jobs() {
			Set<Method> jobs = select((method) -> AnnotatedElementUtils.hasAnnotation(method, Job.class));
			if (AnnotatedElementUtils.hasAnnotation(this.type, Job.class)) {
				jobs.addAll(select(DeclareIdempotence::isPerform));
			}
			return jobs;
		}

		private Set<Method> select(Predicate<Method> filter) {
			// Reflection returns methods in no particular order, but reports need a
			// stable order.
			Set<Method> sorted = new TreeSet<>(Comparator.comparing(Method::toString));
			sorted.addAll(MethodIntrospector.selectMethods(this.type, filter::test));
			return sorted;
		}

		private void violated(String member, String what) {
			this.events.add(SimpleConditionEvent.violated(this.item,
					this.type.getName() + member + " " + what + " " + this.item.getSourceCodeLocation()));
		}

	}

}
