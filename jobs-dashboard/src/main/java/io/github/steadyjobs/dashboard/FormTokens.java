package io.github.steadyjobs.dashboard;

import jakarta.servlet.http.HttpServletRequest;
import org.jspecify.annotations.Nullable;

import org.springframework.security.web.csrf.CsrfToken;

/**
 * Finds the CSRF token that forms must contain if Spring Security requires a token.
 */
interface FormTokens {

	/** Finds no tokens, for an application without Spring Security. */
	FormTokens NONE = (request) -> null;

	/**
	 * Return the token for the forms of a page.
	 * @return the token; {@code null} if no token is required
	 */
	@Nullable FormToken find(HttpServletRequest request);

	static FormTokens ofSpringSecurity() {
		return (request) -> (request.getAttribute(CsrfToken.class.getName()) instanceof CsrfToken token)
				? new FormToken(token.getParameterName(), token::getToken) : null;
	}

}
