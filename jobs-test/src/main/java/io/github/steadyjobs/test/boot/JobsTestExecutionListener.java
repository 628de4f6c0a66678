package io.github.steadyjobs.test.boot;

import java.util.function.Consumer;

import org.springframework.test.context.TestContext;
import org.springframework.test.context.TestExecutionListener;
import org.springframework.test.context.support.AbstractTestExecutionListener;

/**
 * A {@link TestExecutionListener} that lets each test start without jobs.
 */
final class JobsTestExecutionListener extends AbstractTestExecutionListener {

	/** After the injection of dependencies, and before the transaction of the test. */
	private static final int ORDER = 3500;

	@Override
	public void beforeTestMethod(TestContext testContext) {
		with(testContext, Recordings::begin);
	}

	@Override
	public void afterTestMethod(TestContext testContext) {
		with(testContext, Recordings::end);
	}

	private static void with(TestContext testContext, Consumer<Recordings> action) {
		if (testContext.hasApplicationContext()) {
			testContext.getApplicationContext().getBeanProvider(Recordings.class).ifAvailable(action);
		}
	}

	@Override
	public int getOrder() {
		return ORDER;
	}

}
