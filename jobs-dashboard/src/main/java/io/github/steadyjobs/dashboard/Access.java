package io.github.steadyjobs.dashboard;

import java.security.Principal;
import java.util.Collection;
import java.util.function.Supplier;

import io.github.steadyjobs.admin.JobsActor;
import jakarta.servlet.http.HttpServletRequest;

/**
 * Decides for each request what the viewer may do. With Spring Security, this depends on
 * the roles of the user; otherwise, on whether the dashboard is open to everybody or the
 * request comes from this machine.
 */
final class Access {

	private final DashboardProperties properties;

	private final JobsActor actor;

	private final boolean secured;

	/**
	 * Create the rules.
	 * @param actor knows the names of viewers
	 * @param secured whether Spring Security filters the requests
	 */
	Access(DashboardProperties properties, JobsActor actor, boolean secured) {
		this.properties = properties;
		this.actor = actor;
		this.secured = secured;
	}

	Viewer viewer(HttpServletRequest request) {
		boolean isLocal = !this.secured && LocalMachine.isOriginOf(request);
		Role granted = this.secured ? byRole(request)
				: (isLocal || this.properties.open()) ? Role.ADMINISTER : Role.NONE;
		boolean seesValues = switch (this.properties.showValues()) {
			case ALWAYS -> true;
			case WHEN_AUTHORIZED -> this.secured ? granted.includes(Role.OPERATE) : isLocal;
			case NEVER -> false;
		};
		boolean isCapped = this.properties.readOnly() && granted.includes(Role.VIEW);
		return new Viewer(isCapped ? Role.VIEW : granted, seesValues, name(request));
	}

	private Role byRole(HttpServletRequest request) {
		DashboardProperties.Roles roles = this.properties.roles();
		if (hasAny(request, roles.administer())) {
			return Role.ADMINISTER;
		}
		if (hasAny(request, roles.operate())) {
			return Role.OPERATE;
		}
		return hasAny(request, roles.view()) ? Role.VIEW : Role.NONE;
	}

	private static boolean hasAny(HttpServletRequest request, Collection<String> roles) {
		return roles.stream().anyMatch(request::isUserInRole);
	}

	/** Return the name of the user or, if nobody is logged in, of the application. */
	private String name(HttpServletRequest request) {
		Principal user = request.getUserPrincipal();
		return this.actor.name((user != null) ? user.getName() : null);
	}

	/** Make changes in the name of a viewer. */
	<T> T as(Viewer viewer, Supplier<T> change) {
		return this.actor.as(viewer.name(), change);
	}

	/**
	 * Check that a viewer has a role.
	 * @throws RefusedException if the role is missing; the message names suitable roles
	 */
	void check(Viewer viewer, Role needed) {
		DashboardProperties.Roles roles = this.properties.roles();
		if (!viewer.may(Role.VIEW)) {
			throw this.secured ? RefusedException.forbidden("refused.roles", joined(roles.view()),
					joined(roles.operate()), joined(roles.administer())) : RefusedException.forbidden("refused.remote");
		}
		if (!viewer.may(needed)) {
			throw this.properties.readOnly() ? RefusedException.forbidden("refused.read-only") : RefusedException
				.forbidden("refused.role", joined((needed == Role.OPERATE) ? roles.operate() : roles.administer()));
		}
	}

	private static String joined(Collection<String> roles) {
		return String.join(", ", roles);
	}

	/**
	 * Return whether everybody who can reach the dashboard may use it without logging in.
	 */
	boolean isOpen() {
		return !this.secured && this.properties.open();
	}

	/** Return a text for the log that says who may use the dashboard. */
	String audience() {
		DashboardProperties.Roles roles = this.properties.roles();
		if (this.secured) {
			return "for users with one of the roles "
					+ String.join(", ", joined(roles.view()), joined(roles.operate()), joined(roles.administer()));
		}
		if (!isOpen()) {
			return "for browsers on this machine only";
		}
		return "for everybody who can reach it, " + (this.properties.readOnly() ? "read-only" : "to change everything");
	}

}
