package io.github.steadyjobs.admin;

import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.core.importer.ImportOption.DoNotIncludeTests;
import com.tngtech.archunit.core.importer.Location;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.lang.ArchRule;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;

/**
 * Architecture rules of the modules above {@code jobs-core}.
 */
@AnalyzeClasses(packages = "io.github.steadyjobs",
		importOptions = { DoNotIncludeTests.class, ModulesTests.NoTestJars.class })
class ModulesTests {

	private static final String BASE = "io.github.steadyjobs";

	private static final String[] OF_ADMIN = { BASE + ".admin..", BASE + ".audit..", BASE + ".doctor.." };

	@ArchTest
	static final ArchRule packagesAreFreeOfCycles = slices().matching("(**)").should().beFreeOfCycles();

	@ArchTest
	static final ArchRule administrationKnowsNoRecurringJobs = noClasses().that()
		.resideInAnyPackage(OF_ADMIN)
		.should()
		.dependOnClassesThat()
		.resideInAPackage(BASE + ".recurring..")
		.because("an application may have either module without the other");

	@ArchTest
	static final ArchRule recurringJobsKnowNoAdministration = noClasses().that()
		.resideInAPackage(BASE + ".recurring..")
		.should()
		.dependOnClassesThat()
		.resideInAnyPackage(OF_ADMIN);

	@ArchTest
	static final ArchRule modulesKnowNoWorkers = noClasses().that()
		.resideInAnyPackage(BASE + ".recurring..", OF_ADMIN[0], OF_ADMIN[1], OF_ADMIN[2])
		.should()
		.dependOnClassesThat()
		.resideInAPackage(BASE + ".server..")
		.because("they work in an application that only enqueues");

	@ArchTest
	static final ArchRule auditAndDoctorReadDataOnly = noClasses().that()
		.resideInAnyPackage(BASE + ".audit..", BASE + ".doctor..")
		.should()
		.dependOnClassesThat()
		.resideInAnyPackage(BASE + ".client..", BASE + ".definition..", BASE + ".admin..");

	@ArchTest
	static final ArchRule redisIsKnownInOnePlace = noClasses().that()
		.resideOutsideOfPackage(BASE + ".redis..")
		.should()
		.dependOnClassesThat()
		.resideInAnyPackage("io.lettuce..", "org.springframework.data.redis..")
		.because("stores of all modules make their calls through that package");

	static final class NoTestJars implements ImportOption {

		@Override
		public boolean includes(Location location) {
			return !location.contains("-tests.jar") && !location.contains("/steadyjobs/embedded/");
		}

	}

}
