package io.github.steadyjobs;

import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaConstructor;
import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.core.importer.ImportOption.DoNotIncludeTests;
import com.tngtech.archunit.core.importer.Location;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.lang.ArchCondition;
import com.tngtech.archunit.lang.ArchRule;
import com.tngtech.archunit.lang.ConditionEvents;
import com.tngtech.archunit.lang.SimpleConditionEvent;
import org.jspecify.annotations.NullMarked;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.constructors;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.Architectures.layeredArchitecture;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;

/**
 * Architecture rules of this module.
 */
@AnalyzeClasses(packages = "io.github.steadyjobs",
		importOptions = { DoNotIncludeTests.class, ArchitectureTests.OnlyThisModule.class })
class ArchitectureTests {

	private static final String BASE = "io.github.steadyjobs";

	private static final int MOST_PARAMETERS = 6;

	@ArchTest
	static final ArchRule coreKnowsNothingOfSpringBoot = noClasses().should()
		.dependOnClassesThat()
		.resideInAPackage("org.springframework.boot..")
		.because("core has to work in an application without Spring Boot");

	@ArchTest
	static final ArchRule packagesAreFreeOfCycles = slices().matching("(**)").should().beFreeOfCycles();

	@ArchTest
	static final ArchRule importsGoOneWay = layeredArchitecture().consideringOnlyDependenciesInLayers()
		.layer("root")
		.definedBy(BASE)
		.layer("arguments")
		.definedBy(BASE + ".arguments..")
		.layer("definition")
		.definedBy(BASE + ".definition..")
		.layer("activity")
		.definedBy(BASE + ".activity..")
		.layer("gate")
		.definedBy(BASE + ".gate..")
		.layer("redis")
		.definedBy(BASE + ".redis..")
		.layer("ordered")
		.definedBy(BASE + ".ordered..")
		.layer("pause")
		.definedBy(BASE + ".pause..")
		.layer("client")
		.definedBy(BASE + ".client..")
		.layer("server")
		.definedBy(BASE + ".server..")
		.layer("observation")
		.definedBy(BASE + ".observation..")
		.whereLayer("root")
		.mayNotAccessAnyLayer()
		.whereLayer("arguments")
		.mayOnlyAccessLayers("root")
		.whereLayer("definition")
		.mayOnlyAccessLayers("root", "arguments")
		.whereLayer("activity")
		.mayNotAccessAnyLayer()
		.whereLayer("gate")
		.mayOnlyAccessLayers("root")
		.whereLayer("redis")
		.mayOnlyAccessLayers("root")
		.whereLayer("ordered")
		.mayOnlyAccessLayers("root", "arguments", "definition", "redis")
		.whereLayer("pause")
		.mayOnlyAccessLayers("root", "definition", "gate", "redis", "ordered")
		.whereLayer("client")
		.mayOnlyAccessLayers("root", "arguments", "definition", "redis", "ordered")
		.whereLayer("server")
		.mayOnlyAccessLayers("root", "arguments", "definition", "gate", "redis", "ordered")
		.whereLayer("observation")
		.mayOnlyAccessLayers("root", "redis", "pause", "client", "server")
		.because("a worker needs no client, a client no worker, and what users import needs neither");

	@ArchTest
	static final ArchRule redisIsKnownInOnePlace = noClasses().that()
		.resideOutsideOfPackage(BASE + ".redis..")
		.should()
		.dependOnClassesThat()
		.resideInAnyPackage("io.lettuce..", "org.springframework.data.redis..")
		.because("nothing outside of that package builds a key or sends a command");

	@ArchTest
	static final ArchRule coreKnowsNoDatabase = noClasses().should()
		.dependOnClassesThat()
		.resideInAnyPackage("java.sql..", "javax.sql..", "org.springframework.jdbc..")
		.because("an application without a database needs no spring-jdbc; the module for PostgreSQL has its own");

	@ArchTest
	static final ArchRule workersAreHidden = classes().that()
		.resideInAPackage(BASE + ".server..")
		.and()
		.areTopLevelClasses()
		// These are the exceptions: the lifecycle, its settings, the records in its
		// signatures, and the runner for tests of applications.
		.and()
		.doNotHaveSimpleName("Launcher")
		.and()
		.doNotHaveSimpleName("Capsule")
		.and()
		.doNotHaveSimpleName("JobExecution")
		.and()
		.doNotHaveSimpleName("JobRunner")
		.and()
		.doNotHaveSimpleName("WorkerSettings")
		.and()
		.doNotHaveSimpleName("QueueSelector")
		.and()
		.doNotHaveSimpleName("FetchFilter")
		.should()
		.bePackagePrivate()
		.allowEmptyShould(true);

	@ArchTest
	static final ArchRule packagesSayWhereNullMayBe = classes()
		.should(new ArchCondition<>("be in a null-marked package") {

			@Override
			public void check(JavaClass type, ConditionEvents events) {
				boolean marked = type.getPackage().isAnnotatedWith(NullMarked.class);
				events.add(new SimpleConditionEvent(type, marked,
						type.getPackageName() + " has no @NullMarked package-info"));
			}

		});

	@ArchTest
	static final ArchRule constructorsAreShort = constructors().that()
		.areDeclaredInClassesThat()
		.areNotRecords()
		.should(new ArchCondition<>("have at most " + MOST_PARAMETERS + " parameters") {

			@Override
			public void check(JavaConstructor constructor, ConditionEvents events) {
				int parameters = constructor.getRawParameterTypes().size() - hidden(constructor.getOwner());
				events.add(new SimpleConditionEvent(constructor, parameters <= MOST_PARAMETERS,
						constructor.getFullName() + " has " + parameters));
			}

		})
		.because("more means that a type is missing");

	/**
	 * Return the number of parameters that the compiler adds: name and ordinal of an enum
	 * constant, or the outer object of an inner class.
	 */
	private static int hidden(JavaClass type) {
		if (type.isEnum()) {
			return 2;
		}
		return type.isInnerClass() ? 1 : 0;
	}

	static final class OnlyThisModule implements ImportOption {

		@Override
		public boolean includes(Location location) {
			return !location.contains("/steadyjobs/embedded/");
		}

	}

}
