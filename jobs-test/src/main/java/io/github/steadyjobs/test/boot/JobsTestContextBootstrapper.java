package io.github.steadyjobs.test.boot;

import org.springframework.boot.test.autoconfigure.TestSliceTestContextBootstrapper;

/**
 * Bootstraps the context of {@link JobsTest}.
 */
final class JobsTestContextBootstrapper extends TestSliceTestContextBootstrapper<JobsTest> {

}
