package io.github.steadyjobs;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * Keeps jobs with the same key in order: they never run at the same time, and of those
 * that wait, the one with the smallest {@link #score() score} runs first, by default the
 * oldest. Jobs with different keys run in parallel.
 * <p>
 * Use it together with {@link Job}: on the method, or on the class if {@link Job} is
 * there. The arguments of one enqueue call are a <em>payload</em>. While a key waits or
 * runs, its payloads are collected, and the next run takes up to 1,000 of them or 1 MB,
 * smallest score first. Of equal payloads, only the one with the smallest score is kept.
 * <pre class="code">
 * &#64;Job
 * &#64;Sequential(key = "#update.orderId", score = "#update.version")
 * void handle(OrderUpdate update) { … }
 * </pre> The signature of the method determines how it receives the payloads:
 * <ul>
 * <li>{@code handle(OrderUpdate update)}, or any other arguments: called for one payload
 * after another. If a payload fails, it and the payloads after it are retried.
 * <li>{@code handle(List<OrderUpdate> updates)}: called once with all these payloads. A
 * single {@code List} argument is always treated this way, so a payload cannot itself be
 * a list: wrap the list in a record.
 * <li>{@code handle(Map<String, List<OrderUpdate>> updates)}: with a {@link #batchSize()}
 * above 1, called once with the payloads of several keys.
 * </ul>
 * Each form may also take a {@link JobContext} as the last parameter. In every form, the
 * job is enqueued with one payload at a time: {@code client.enqueue(new OrderUpdate(…))}.
 * {@link JobRequest#key} and {@link JobRequest#score} set the key and the score for a
 * single request.
 * <p>
 * The job has a queue of its own, which has the job's name unless {@link Job#queue()}
 * names another queue.
 * <p>
 * May be used as a meta-annotation. This annotation also declares how the job handles a
 * second run with the same arguments, so it cannot be combined with {@link Idempotent}.
 */
@Target({ ElementType.METHOD, ElementType.TYPE })
@Retention(RetentionPolicy.RUNTIME)
@Documented
public @interface Sequential {

	/** The default number of shards of a queue. */
	int DEFAULT_SHARDS = 5;

	/**
	 * Expression in the Spring Expression Language for the key of a payload, such as
	 * {@code "#order.id"}. {@code #payload} and {@code #p0} refer to the payload. If the
	 * method takes one payload at a time, the names of its parameters can be used as
	 * well. The expression cannot refer to beans or types. Placeholders are resolved.
	 * <p>
	 * The value must be a string, a number or another simple value, and 1 to 256
	 * characters long when converted to a string.
	 */
	String key();

	/**
	 * Expression for the score of a payload, such as {@code "#order.version"}: payloads
	 * of a key run in the order of their scores. It can refer to the same variables as
	 * {@link #key()}. Placeholders are resolved.
	 * @return an expression whose value is a number, or an empty string to use the time
	 * at which the payload is enqueued
	 */
	String score() default "";

	/**
	 * Maximum number of keys that are passed to one call of the method. Overridden by
	 * {@code steadyjobs.jobs.<name>.batch-size}.
	 * @return 1 to 1,000; above 1 the method takes a {@code Map}
	 */
	int batchSize() default 1;

	/**
	 * Number of hash tags over which the keys of the queue are spread, so that the nodes
	 * of a cluster share the work. This is unrelated to threads: any free worker can take
	 * any key. Overridden by {@code steadyjobs.jobs.<name>.shards}.
	 * @return 1 to 1,024
	 */
	int shards() default DEFAULT_SHARDS;

	/**
	 * How many times the payloads of a key are retried after a failure before the payload
	 * with the smallest score is dead. Replaces {@link Job#retries()}; overridden by
	 * {@code steadyjobs.jobs.<name>.retries}.
	 * @return the maximum number of retries, zero or more
	 */
	int retries() default 25;

}
