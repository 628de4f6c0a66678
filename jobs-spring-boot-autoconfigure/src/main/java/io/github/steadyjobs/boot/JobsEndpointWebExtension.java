package io.github.steadyjobs.boot;

import java.security.Principal;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;

import io.github.steadyjobs.InvalidJobException;
import io.github.steadyjobs.JobStoreException;
import org.jspecify.annotations.Nullable;

import org.springframework.boot.actuate.endpoint.OperationResponseBody;
import org.springframework.boot.actuate.endpoint.SecurityContext;
import org.springframework.boot.actuate.endpoint.Show;
import org.springframework.boot.actuate.endpoint.annotation.ReadOperation;
import org.springframework.boot.actuate.endpoint.annotation.Selector;
import org.springframework.boot.actuate.endpoint.annotation.WriteOperation;
import org.springframework.boot.actuate.endpoint.web.WebEndpointResponse;
import org.springframework.boot.actuate.endpoint.web.annotation.EndpointWebExtension;

/**
 * {@link EndpointWebExtension} for the {@link JobsEndpoint}. This extension has access to
 * the user, and answers a refused operation with a status code and a message.
 */
@EndpointWebExtension(endpoint = JobsEndpoint.class)
final class JobsEndpointWebExtension {

	private final JobsEndpoint delegate;

	private final Show showValues;

	private final Set<String> roles;

	JobsEndpointWebExtension(JobsEndpoint delegate, Show showValues, Set<String> roles) {
		this.delegate = delegate;
		this.showValues = showValues;
		this.roles = roles;
	}

	@ReadOperation
	WebEndpointResponse<Map<String, ?>> overview(SecurityContext context) {
		return answer(context, (arguments) -> this.delegate.overview());
	}

	@ReadOperation
	WebEndpointResponse<Map<String, ?>> read(SecurityContext context, @Selector String subject, @Nullable String queue,
			@Nullable String name, @Nullable String id, @Nullable String tag, @Nullable String error,
			@Nullable String text, @Nullable String size, @Nullable String after, @Nullable String from,
			@Nullable String to) {
		return answer(context, (arguments) -> this.delegate.read(subject, arguments), "queue", queue, "name", name,
				"id", id, "tag", tag, "error", error, "text", text, "size", size, "after", after, "from", from, "to",
				to);
	}

	@ReadOperation
	WebEndpointResponse<Map<String, ?>> readOne(SecurityContext context, @Selector String subject,
			@Selector String item, @Nullable String size, @Nullable String after, @Nullable String from,
			@Nullable String to, @Nullable String dump) {
		return answer(context, (arguments) -> this.delegate.readOne(subject, item, arguments), "size", size, "after",
				after, "from", from, "to", to, "dump", dump);
	}

	@WriteOperation
	WebEndpointResponse<Map<String, ?>> change(SecurityContext context, @Selector String subject,
			@Nullable String action, @Nullable String queue, @Nullable String name, @Nullable String id,
			@Nullable String tag, @Nullable String error, @Nullable String text, @Nullable String all,
			@Nullable String after, @Nullable String to, @Nullable String label, @Nullable String who) {
		return answer(context, (arguments) -> this.delegate.change(subject, arguments), "action", action, "queue",
				queue, "name", name, "id", id, "tag", tag, "error", error, "text", text, "all", all, "after", after,
				"to", to, "label", label, "who", who);
	}

	@WriteOperation
	WebEndpointResponse<Map<String, ?>> changeOne(SecurityContext context, @Selector String subject,
			@Selector String item, @Nullable String action, @Nullable String arguments, @Nullable String due,
			@Nullable String to, @Nullable String interrupt, @Nullable String place, @Nullable String who,
			@Nullable String why, @Nullable String until, @Nullable String digest, @Nullable String holder,
			@Nullable String job, @Nullable String queue, @Nullable String cron, @Nullable String zone,
			@Nullable String every, @Nullable String from, @Nullable String jitter, @Nullable String missed,
			@Nullable String atMost, @Nullable String overlap) {
		return answer(context, (all) -> this.delegate.changeOne(subject, item, all), "action", action, "arguments",
				arguments, "due", due, "to", to, "interrupt", interrupt, "place", place, "who", who, "why", why,
				"until", until, "digest", digest, "holder", holder, "job", job, "queue", queue, "cron", cron, "zone",
				zone, "every", every, "from", from, "jitter", jitter, "missed", missed, "atMost", atMost, "overlap",
				overlap);
	}

	private WebEndpointResponse<Map<String, ?>> answer(SecurityContext context,
			Function<OperationArguments, Map<String, ?>> operation, @Nullable String... namesAndValues) {
		Principal user = context.getPrincipal();
		try {
			return new WebEndpointResponse<>(
					operation.apply(this.delegate.arguments(this.showValues.isShown(context, this.roles),
							(user != null) ? user.getName() : null, namesAndValues)));
		}
		catch (OperationRefusedException ex) {
			return problem(ex.status(), ex.reason(), ex);
		}
		catch (InvalidJobException | IllegalArgumentException ex) {
			return problem(WebEndpointResponse.STATUS_BAD_REQUEST, "BAD_REQUEST", ex);
		}
		catch (JobStoreException ex) {
			return problem(WebEndpointResponse.STATUS_SERVICE_UNAVAILABLE, ex.reason().name(), ex);
		}
	}

	private static WebEndpointResponse<Map<String, ?>> problem(int status, String reason, RuntimeException ex) {
		return new WebEndpointResponse<>(
				OperationResponseBody
					.of(Map.of("status", status, "reason", reason, "message", String.valueOf(ex.getMessage()))),
				status);
	}

}
