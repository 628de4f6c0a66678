package io.github.steadyjobs.samples.orders;

import com.tngtech.archunit.core.importer.ImportOption.DoNotIncludeTests;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.lang.ArchRule;
import io.github.steadyjobs.test.JobRules;

/**
 * Architecture rules of the shop.
 */
@AnalyzeClasses(packagesOf = OrdersApplication.class, importOptions = DoNotIncludeTests.class)
class ArchitectureTests {

	@ArchTest
	static final ArchRule idempotence = JobRules.DECLARE_IDEMPOTENCE;

}
