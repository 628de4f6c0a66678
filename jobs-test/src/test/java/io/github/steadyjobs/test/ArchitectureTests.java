package io.github.steadyjobs.test;

import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.lang.ArchCondition;
import com.tngtech.archunit.lang.ArchRule;
import com.tngtech.archunit.lang.ConditionEvents;
import com.tngtech.archunit.lang.SimpleConditionEvent;
import org.jspecify.annotations.NullMarked;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;

/**
 * Architecture rules of this module.
 */
@AnalyzeClasses(packages = "io.github.steadyjobs.test", importOptions = ImportOption.DoNotIncludeTests.class)
class ArchitectureTests {

	@ArchTest
	static final ArchRule onlyWhatUsersNeedIsPublic = classes().that()
		.doNotBelongToAnyOf(IdempotentJobContract.class, IdempotenceCheck.class, JobRules.class, RecurringCheck.class)
		.should()
		.notBePublic();

	@ArchTest
	static final ArchRule mockitoIsKnownInOnePlace = noClasses().that()
		.doNotBelongToAnyOf(Mocks.class)
		.should()
		.dependOnClassesThat()
		.resideInAPackage("org.mockito..")
		.because("an application may have none");

	@ArchTest
	static final ArchRule checkNeedsNoTestFramework = noClasses().that()
		.doNotBelongToAnyOf(IdempotentJobContract.class)
		.should()
		.dependOnClassesThat()
		.resideInAPackage("org.junit..");

	@ArchTest
	static final ArchRule springBootIsNotNeeded = noClasses().should()
		.dependOnClassesThat()
		.resideInAPackage("org.springframework.boot..");

	@ArchTest
	static final ArchRule packagesSayWhereNullMayBe = classes()
		.should(new ArchCondition<>("be in a package that is @NullMarked") {

			@Override
			public void check(JavaClass type, ConditionEvents events) {
				boolean marked = type.getPackage().isAnnotatedWith(NullMarked.class);
				events.add(new SimpleConditionEvent(type, marked, type.getPackageName() + " is not @NullMarked"));
			}

		});

}
