package io.github.steadyjobs.dashboard;

import jakarta.servlet.http.HttpServletRequest;
import org.jspecify.annotations.Nullable;

import org.springframework.security.web.csrf.CsrfToken;

/**
 * Finds the CSRF token that forms must contain if Spring Security asks for one.
 */
interface FormTokens {

	/** Without Spring Security. */
	FormTokens NONE = (request) -> null;

	/**
	 * Return the token of a request.
	 * @return the token; {@code null} if Spring Security asks for none
	 */
	@Nullable FormToken find(HttpServletRequest request);

	static FormTokens ofSpringSecurity() {
		return (request) -> (request.getAttribute(CsrfToken.class.getName()) instanceof CsrfToken token)
				? new FormToken(token.getParameterName(), token::getToken) : null;
	}

}
