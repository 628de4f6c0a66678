package io.github.steadyjobs.postgres;

import com.tngtech.archunit.base.DescribedPredicate;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.importer.ImportOption.DoNotIncludeTests;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.lang.ArchRule;

import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAPackage;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAnyPackage;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;

/**
 * Architecture rules of this module.
 */
@AnalyzeClasses(packagesOf = PostgresImportsTests.class, importOptions = DoNotIncludeTests.class)
class PostgresImportsTests {

	private static final DescribedPredicate<JavaClass> ENGINE = resideInAPackage("io.github.steadyjobs..")
		.and(DescribedPredicate.not(resideInAnyPackage("io.github.steadyjobs", "io.github.steadyjobs.postgres")));

	@ArchTest
	static final ArchRule engineIsUnknown = noClasses().should()
		.dependOnClassesThat(ENGINE)
		.because("a source of positions is something that any user can write");

	@ArchTest
	static final ArchRule springBootIsUnknown = noClasses().should()
		.dependOnClassesThat()
		.resideInAPackage("org.springframework.boot..")
		.because("it has to work in an application without Spring Boot");

}
