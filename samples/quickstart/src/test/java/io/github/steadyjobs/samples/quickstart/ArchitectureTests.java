package io.github.steadyjobs.samples.quickstart;

import com.tngtech.archunit.core.importer.ImportOption.DoNotIncludeTests;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.lang.ArchRule;
import io.github.steadyjobs.test.JobRules;

/**
 * Architecture rules of the site.
 */
@AnalyzeClasses(packagesOf = QuickstartApplication.class, importOptions = DoNotIncludeTests.class)
class ArchitectureTests {

	@ArchTest
	static final ArchRule idempotence = JobRules.DECLARE_IDEMPOTENCE;

}
