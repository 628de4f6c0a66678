package io.github.steadyjobs.test;

import io.github.steadyjobs.Idempotent;
import io.github.steadyjobs.JobRequest;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

import org.springframework.context.ApplicationContext;

/**
 * The test that an {@link Idempotent} job is idempotent. A test class with the
 * application's context, such as one with {@code @SpringBootTest}, implements it and gets
 * the test:
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
 * {@link IdempotenceCheck} describes what is checked and how. Use it to test several jobs
 * in one class.
 */
public interface IdempotentJobContract {

	/**
	 * Return the job with its arguments, and prepare what it needs. Called once.
	 * @return the request as it would be enqueued; it is not enqueued here
	 * @throws Exception to fail the test, if the request cannot be made
	 */
	JobRequest request() throws Exception;

	/**
	 * Return the state that the job changes, with everything that a second run could
	 * spoil. Called before the first run and after each one.
	 * @return anything that {@link IdempotenceCheck} can compare, preferably rows of a
	 * database or other values
	 * @throws Exception to fail the test, if the state cannot be observed
	 */
	@Nullable Object observe() throws Exception;

	/**
	 * Make your own assertions after a run, once the built-in ones have passed.
	 * @param run which run has ended, 1 for the first
	 * @throws Exception to fail the test
	 */
	default void verify(int run) throws Exception {
	}

	/**
	 * Change how the job is checked, such as how often it runs.
	 * @param check the check as it would be made
	 * @return the check to make
	 */
	default IdempotenceCheck configure(IdempotenceCheck check) {
		return check;
	}

	/**
	 * The test.
	 * @param context the context of the application, passed by Spring
	 * @throws Exception if something other than an assertion failed
	 */
	@Test
	default void jobIsIdempotent(ApplicationContext context) throws Exception {
		configure(IdempotenceCheck.in(context).afterEachRun(this::verify)).check(request(), this::observe);
	}

}
