package io.github.steadyjobs;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * Keeps jobs of one key in order: they never run at the same time, and never an older one
 * after a newer one. Jobs of different keys run in parallel.
 * <p>
 * Use it along with {@link Job}: on the method, or on the class if {@link Job} is there.
 * The arguments of one enqueue are a <em>payload</em>. Payloads of a key that waits or
 * runs gather, and the next run takes them all, smallest {@link #score() score} first.
 * Equal payloads are kept once, with the smaller score. <pre class="code">
 * &#64;Job
 * &#64;Sequential(key = "#update.orderId", score = "#update.version")
 * void handle(OrderUpdate update) { … }
 * </pre> The form of the method says how it gets them:
 * <ul>
 * <li>{@code handle(OrderUpdate update)}, or any other arguments: called for one payload
 * after the other. If one fails, it and those after it are retried.
 * <li>{@code handle(List<OrderUpdate> updates)}: called once with all payloads of a key.
 * A {@code List} that is the only argument always means that, so a payload cannot be a
 * list itself: put it into a record.
 * <li>{@code handle(Map<String, List<OrderUpdate>> updates)}: with a {@link #batchSize()}
 * above 1, called once with the payloads of several keys.
 * </ul>
 * Each form may take a {@link JobContext} as well, as the last parameter. Whatever its
 * form, the job is enqueued with one payload at a time:
 * {@code client.enqueue(new OrderUpdate(…))}. {@link JobRequest#key} and
 * {@link JobRequest#score} set a key and a score for one request.
 * <p>
 * The job has a queue to itself, which has the job's name unless {@link Job#queue()}
 * names another.
 * <p>
 * May be used as a meta-annotation. It also declares how the job handles a second run
 * with the same arguments, so it cannot be combined with {@link Idempotent}.
 */
@Target({ ElementType.METHOD, ElementType.TYPE })
@Retention(RetentionPolicy.RUNTIME)
@Documented
public @interface Sequential {

	/** The default number of shards of a queue. */
	int DEFAULT_SHARDS = 5;

	/**
	 * Expression in the Spring Expression Language for the key of a payload, such as
	 * {@code "#order.id"}. {@code #payload} and {@code #p0} are the payload; a method
	 * that takes one payload has the names of its parameters as well. Beans and types
	 * cannot be referred to. Placeholders are resolved.
	 * <p>
	 * The value has to be a text, a number or another simple value, and 1 to 256
	 * characters long as a text.
	 */
	String key();

	/**
	 * Expression for the score of a payload, such as {@code "#order.version"}: payloads
	 * of a key run in the order of their scores. Refers to the same as {@link #key()}.
	 * Placeholders are resolved.
	 * @return an expression whose value is a number, or an empty string for the time of
	 * the enqueue
	 */
	String score() default "";

	/**
	 * How many keys one call of the method takes at most. Overridden by
	 * {@code steadyjobs.jobs.<name>.batch-size}.
	 * @return 1 to 1,000; above 1 the method takes a {@code Map}
	 */
	int batchSize() default 1;

	/**
	 * How many hash tags the keys of the queue are spread over, for the nodes of a
	 * cluster to share the work. Has nothing to do with threads: any free worker takes
	 * any key. Overridden by {@code steadyjobs.jobs.<name>.shards}.
	 * @return 1 to 1,024
	 */
	int shards() default DEFAULT_SHARDS;

	/**
	 * How often the payloads of a key are run again after a failure, before the one with
	 * the smallest score is dead. Takes the place of {@link Job#retries()}; overridden by
	 * {@code steadyjobs.jobs.<name>.retries}.
	 * @return zero or more
	 */
	int retries() default 25;

}
