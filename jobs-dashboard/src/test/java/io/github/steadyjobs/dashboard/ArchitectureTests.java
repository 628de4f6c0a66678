package io.github.steadyjobs.dashboard;

import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.lang.ArchRule;

import static com.tngtech.archunit.base.DescribedPredicate.describe;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;

/**
 * Architecture rules of the dashboard.
 */
@AnalyzeClasses(packages = "io.github.steadyjobs.dashboard", importOptions = ImportOption.DoNotIncludeTests.class)
class ArchitectureTests {

	private static final String BASE = "io.github.steadyjobs";

	@ArchTest
	static final ArchRule onlyWhatUsersNeedIsPublic = classes().that()
		.doNotBelongToAnyOf(JobsDashboardAutoConfiguration.class, JobsDashboardRequest.class)
		.and(describe("are written by hand", (JavaClass type) -> !type.getSimpleName().startsWith("Jte")))
		.should()
		.notBePublic();

	@ArchTest
	static final ArchRule pagesAreMadeOfPublicBeans = noClasses().should()
		.dependOnClassesThat()
		.resideInAnyPackage(BASE + ".redis..", BASE + ".server..", BASE + ".client..", BASE + ".definition..",
				BASE + ".boot..", "org.springframework.data..", "io.lettuce..")
		.because("a page shows what an application can ask for too");

	@ArchTest
	static final ArchRule pagesNeedNoWebFramework = noClasses().that()
		.doNotBelongToAnyOf(JobsDashboardRequest.class)
		.should()
		.dependOnClassesThat()
		.resideInAnyPackage("org.springframework.web..", "org.springframework.http..")
		.because("on the management port there may be none");

	@ArchTest
	static final ArchRule securityIsOptional = noClasses().that()
		.doNotBelongToAnyOf(JobsDashboardRequest.class, FormTokens.class, JobsDashboardAutoConfiguration.class)
		.should()
		.dependOnClassesThat()
		.resideInAPackage("org.springframework.security..");

	@ArchTest
	static final ArchRule onlyTheServletAndWhatItAsksReadsRequests = noClasses().that()
		.areAssignableTo(Page.class)
		.should()
		.dependOnClassesThat()
		.resideInAPackage("jakarta.servlet..")
		.because("a visit checks what it gives away");

}
