package io.github.steadyjobs.test;

import io.github.steadyjobs.Idempotent;
import io.github.steadyjobs.JobRequest;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

import org.springframework.context.ApplicationContext;

/**
 * A test that an {@link Idempotent} job is idempotent. A test class with the
 * application's context, such as one with {@code @SpringBootTest}, implements this
 * interface and inherits the test:
 *
 * <pre class="code">
 * &#064;SpringBootTest
 * class SendInvoiceTests implements IdempotentJobContract {
 *
 *     &#064;Autowired
 *     private Invoices invoices;
 *
 *     &#064;Override
 *     public JobRequest request() {
 *         return JobRequest.of(new SendInvoice(this.invoices.add("Ada"), "final"));
 *     }
 *
 *     &#064;Override
 *     public Object observe() {
 *         return this.invoices.findAll();
 *     }
 *
 * }
 * </pre>
 *
 * {@link IdempotenceCheck} describes what is checked and how. To test several jobs in one
 * class, use {@code IdempotenceCheck} directly.
 */
public interface IdempotentJobContract {

	/**
	 * Return the job with its arguments, and prepare the data that it needs. Called once.
	 * @return the request to test, which is not enqueued
	 * @throws Exception to fail the test, if the request cannot be created
	 */
	JobRequest request() throws Exception;

	/**
	 * Return the state that the job changes, including everything that a second run could
	 * spoil. Called before the first run and after each run.
	 * @return a value that {@link IdempotenceCheck} can compare, preferably rows of a
	 * database or other values
	 * @throws Exception to fail the test, if the state cannot be observed
	 */
	@Nullable Object observe() throws Exception;

	/**
	 * Make additional assertions after a run, after the built-in assertions have passed.
	 * @param run the number of the run that has ended, 1 for the first
	 * @throws Exception to fail the test
	 */
	default void verify(int run) throws Exception {
	}

	/**
	 * Change the settings of the check, such as the number of runs.
	 * @param check the check with the default settings
	 * @return the check to use
	 */
	default IdempotenceCheck configure(IdempotenceCheck check) {
		return check;
	}

	/**
	 * Run the test.
	 * @param context the context of the application, passed by Spring
	 * @throws Exception if the test failed for a reason other than an assertion
	 */
	@Test
	default void jobIsIdempotent(ApplicationContext context) throws Exception {
		configure(IdempotenceCheck.in(context).afterEachRun(this::verify)).check(request(), this::observe);
	}

}
