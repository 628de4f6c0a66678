package io.github.steadyjobs.test;

import com.tngtech.archunit.lang.ArchRule;
import io.github.steadyjobs.Idempotent;
import io.github.steadyjobs.Job;
import io.github.steadyjobs.NotIdempotent;
import io.github.steadyjobs.Recurring;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;

/**
 * Rules for the ArchUnit tests of an application.
 *
 * <pre class="code">
 * &#064;AnalyzeClasses(packages = "com.example", importOptions = DoNotIncludeTests.class)
 * class ArchitectureTests {
 *
 *     &#064;ArchTest
 *     static final ArchRule idempotence = JobRules.DECLARE_IDEMPOTENCE;
 *
 * }
 * </pre>
 */
public final class JobRules {

	/**
	 * Each {@link Job} must be declared {@link Idempotent}, or {@link NotIdempotent} with
	 * a reason, next to {@code @Job} or on the class of the bean. A declaration on a
	 * superclass does not count. An ordered job does not need a declaration. Declarations
	 * that contradict each other or do not belong to a job are violations too.
	 */
	public static final ArchRule DECLARE_IDEMPOTENCE = classes().should(new DeclareIdempotence())
		.because("every job may run more than once");

	/**
	 * Each {@link Recurring} job must be declared {@link Idempotent}, or
	 * {@link NotIdempotent} with a reason. This rule is for applications whose jobs do
	 * not all satisfy {@link #DECLARE_IDEMPOTENCE} yet.
	 */
	public static final ArchRule RECURRING_JOBS_DECLARE_IDEMPOTENCE = classes().should(new DeclareRecurring())
		.because("nobody would notice if a job that runs automatically ran twice");

	private JobRules() {
	}

}
