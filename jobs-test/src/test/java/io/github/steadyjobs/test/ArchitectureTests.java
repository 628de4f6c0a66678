package io.github.steadyjobs.test;

import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.lang.ArchCondition;
import com.tngtech.archunit.lang.ArchRule;
import com.tngtech.archunit.lang.ConditionEvents;
import com.tngtech.archunit.lang.SimpleConditionEvent;
import io.github.steadyjobs.test.boot.AutoConfigureJobs;
import io.github.steadyjobs.test.boot.Drain;
import io.github.steadyjobs.test.boot.Drained;
import io.github.steadyjobs.test.boot.EnqueuedAssert;
import io.github.steadyjobs.test.boot.JobsTest;
import io.github.steadyjobs.test.boot.RecordedJob;
import io.github.steadyjobs.test.boot.RecordedJobs;
import io.github.steadyjobs.test.boot.RecordedJobsAssert;
import io.github.steadyjobs.test.boot.RunResult;
import org.jspecify.annotations.NullMarked;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;

/**
 * Architecture rules of this module.
 */
@AnalyzeClasses(packages = "io.github.steadyjobs.test", importOptions = ImportOption.DoNotIncludeTests.class)
class ArchitectureTests {

	private static final String BOOT = "io.github.steadyjobs.test.boot..";

	@ArchTest
	static final ArchRule onlyWhatUsersNeedIsPublic = classes().that()
		.doNotBelongToAnyOf(IdempotentJobContract.class, IdempotenceCheck.class, JobRules.class, RecurringCheck.class)
		.and()
		.doNotBelongToAnyOf(AutoConfigureJobs.class, JobsTest.class, RecordedJobs.class, RecordedJobsAssert.class,
				EnqueuedAssert.class, RecordedJob.class, Drain.class, Drained.class, RunResult.class)
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
		.doNotBelongToAnyOf(IdempotentJobContract.class, JobsTest.class)
		.should()
		.dependOnClassesThat()
		.resideInAPackage("org.junit..");

	@ArchTest
	static final ArchRule springBootIsNotNeeded = noClasses().that()
		.resideOutsideOfPackage(BOOT)
		.should()
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
