package io.github.steadyjobs.boot;

import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Supplier;

import io.github.steadyjobs.admin.JobsActor;
import org.jspecify.annotations.Nullable;

import org.springframework.boot.actuate.endpoint.Access;
import org.springframework.boot.actuate.endpoint.OperationResponseBody;
import org.springframework.boot.actuate.endpoint.Show;
import org.springframework.boot.actuate.endpoint.annotation.Endpoint;
import org.springframework.boot.actuate.endpoint.annotation.ReadOperation;
import org.springframework.boot.actuate.endpoint.annotation.Selector;
import org.springframework.boot.actuate.endpoint.annotation.WriteOperation;

/**
 * {@link Endpoint} that shows and changes jobs. By default it is read-only, because write
 * operations change and delete jobs.
 * <p>
 * Each operation declares the parameters of all subjects, because Spring Boot passes on
 * only the parameters that the method declares.
 */
@Endpoint(id = "jobs", defaultAccess = Access.READ_ONLY)
final class JobsEndpoint {

	private final EndpointSubject overview;

	private final Map<String, EndpointSubject> subjects = new TreeMap<>();

	private final Show showValues;

	private final JobsActor actor;

	/**
	 * Create an endpoint.
	 * @param overview the subject that is shown if the path names no subject
	 * @param subjects the subjects that a path can name
	 * @param showValues the setting that decides who can see the values of jobs
	 * @param actor determines who makes changes
	 */
	JobsEndpoint(EndpointSubject overview, List<Subjects> subjects, Show showValues, JobsActor actor) {
		this.overview = overview;
		subjects.forEach((some) -> this.subjects.putAll(some.byName()));
		this.showValues = showValues;
		this.actor = actor;
	}

	@ReadOperation
	Map<String, ?> overview() {
		return body(this.overview.read(arguments()));
	}

	@ReadOperation
	Map<String, ?> read(@Selector String subject, @Nullable String queue, @Nullable String name, @Nullable String id,
			@Nullable String tag, @Nullable String error, @Nullable String text, @Nullable String size,
			@Nullable String after, @Nullable String from, @Nullable String to) {
		return read(subject, arguments("queue", queue, "name", name, "id", id, "tag", tag, "error", error, "text", text,
				"size", size, "after", after, "from", from, "to", to));
	}

	@ReadOperation
	Map<String, ?> readOne(@Selector String subject, @Selector String item, @Nullable String size,
			@Nullable String after, @Nullable String from, @Nullable String to, @Nullable String dump) {
		return readOne(subject, item, arguments("size", size, "after", after, "from", from, "to", to, "dump", dump));
	}

	@WriteOperation
	Map<String, ?> change(@Selector String subject, @Nullable String action, @Nullable String queue,
			@Nullable String name, @Nullable String id, @Nullable String tag, @Nullable String error,
			@Nullable String text, @Nullable String all, @Nullable String after, @Nullable String to,
			@Nullable String label, @Nullable String who) {
		return change(subject, arguments("action", action, "queue", queue, "name", name, "id", id, "tag", tag, "error",
				error, "text", text, "all", all, "after", after, "to", to, "label", label, "who", who));
	}

	@WriteOperation
	Map<String, ?> changeOne(@Selector String subject, @Selector String item, @Nullable String action,
			@Nullable String arguments, @Nullable String due, @Nullable String to, @Nullable String interrupt,
			@Nullable String place, @Nullable String who, @Nullable String why, @Nullable String until,
			@Nullable String digest, @Nullable String holder, @Nullable String job, @Nullable String queue,
			@Nullable String cron, @Nullable String zone, @Nullable String every, @Nullable String from,
			@Nullable String jitter, @Nullable String missed, @Nullable String atMost, @Nullable String overlap) {
		return changeOne(subject, item,
				arguments("action", action, "arguments", arguments, "due", due, "to", to, "interrupt", interrupt,
						"place", place, "who", who, "why", why, "until", until, "digest", digest, "holder", holder,
						"job", job, "queue", queue, "cron", cron, "zone", zone, "every", every, "from", from, "jitter",
						jitter, "missed", missed, "atMost", atMost, "overlap", overlap));
	}

	private OperationArguments arguments(@Nullable String... namesAndValues) {
		// As in other endpoints, all JMX users are authorised.
		return arguments(this.showValues.isShown(true), null, namesAndValues);
	}

	/**
	 * Return the arguments of a request.
	 * @param user the name of the authenticated user; {@code null} if there is no such
	 * user
	 */
	OperationArguments arguments(boolean showsValues, @Nullable String user, @Nullable String... namesAndValues) {
		return new OperationArguments(showsValues, (who) -> (user != null) ? user : this.actor.name(who),
				namesAndValues);
	}

	Map<String, ?> read(String subject, OperationArguments arguments) {
		return body(subject(subject).read(arguments));
	}

	Map<String, ?> readOne(String subject, String item, OperationArguments arguments) {
		return body(subject(subject).read(item, arguments));
	}

	Map<String, ?> change(String subject, OperationArguments arguments) {
		return acting(arguments, () -> subject(subject).change(action(arguments), arguments));
	}

	Map<String, ?> changeOne(String subject, String item, OperationArguments arguments) {
		return acting(arguments, () -> subject(subject).change(item, action(arguments), arguments));
	}

	private Map<String, ?> acting(OperationArguments arguments, Supplier<Map<String, ?>> change) {
		return body(this.actor.as(arguments.user(), change));
	}

	private EndpointSubject subject(String name) {
		EndpointSubject subject = this.subjects.get(name);
		if (subject == null) {
			throw OperationRefusedException.notFound(
					"There is no '%s' here. There are: %s".formatted(name, String.join(", ", this.subjects.keySet())));
		}
		return subject;
	}

	private static String action(OperationArguments arguments) {
		return arguments.required("action", "say what to do, as in {\"action\": \"retry\"}");
	}

	private static <V> Map<String, V> body(Map<String, V> content) {
		// The answer is written like the answers of Spring Boot's own endpoints, whatever
		// JSON settings the application has.
		return OperationResponseBody.of(content);
	}

	/**
	 * Subjects that one bean adds to the endpoint.
	 *
	 * @param byName the subjects, by their names in the path
	 */
	record Subjects(Map<String, EndpointSubject> byName) {

	}

}
