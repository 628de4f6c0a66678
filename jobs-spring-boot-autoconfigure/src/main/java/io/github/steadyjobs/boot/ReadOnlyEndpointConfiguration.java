package io.github.steadyjobs.boot;

import java.io.IOException;
import java.nio.charset.StandardCharsets;

import jakarta.servlet.FilterChain;
import jakarta.servlet.ServletException;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import jakarta.servlet.http.HttpServletResponseWrapper;
import reactor.core.publisher.Mono;

import org.springframework.boot.actuate.autoconfigure.endpoint.condition.ConditionalOnAvailableEndpoint;
import org.springframework.boot.actuate.autoconfigure.web.ManagementContextConfiguration;
import org.springframework.boot.actuate.endpoint.Access;
import org.springframework.boot.actuate.endpoint.EndpointAccessResolver;
import org.springframework.boot.actuate.endpoint.EndpointId;
import org.springframework.boot.actuate.endpoint.web.PathMappedEndpoints;
import org.springframework.boot.autoconfigure.condition.ConditionalOnWebApplication;
import org.springframework.boot.autoconfigure.condition.ConditionalOnWebApplication.Type;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.http.HttpMethod;
import org.springframework.http.HttpStatus;
import org.springframework.http.MediaType;
import org.springframework.http.server.reactive.ServerHttpResponse;
import org.springframework.web.filter.OncePerRequestFilter;
import org.springframework.web.server.MethodNotAllowedException;
import org.springframework.web.server.WebFilter;

/**
 * Explains why the {@link JobsEndpoint} refuses a change while it is read-only, both on
 * the application port and on a separate management port. Spring Boot maps no write
 * operation in this case, and would answer 405 without a message.
 */
@ManagementContextConfiguration(proxyBeanMethods = false)
@ConditionalOnAvailableEndpoint(JobsEndpoint.class)
final class ReadOnlyEndpointConfiguration {

	private static final EndpointId ENDPOINT = EndpointId.of("jobs");

	private static final HttpStatus STATUS = HttpStatus.METHOD_NOT_ALLOWED;

	private static final byte[] BODY = """
			{"status":405,"reason":"READ_ONLY","message":"The endpoint 'jobs' is read-only here. \
			To change jobs with it, set management.endpoint.jobs.access=unrestricted."}"""
		.getBytes(StandardCharsets.UTF_8);

	private static boolean isRefused(HttpMethod method, String path, PathMappedEndpoints endpoints,
			EndpointAccessResolver access) {
		return method == HttpMethod.POST && path.contains(endpoints.getPath(ENDPOINT) + "/")
				&& access.accessFor(ENDPOINT, Access.READ_ONLY) == Access.READ_ONLY;
	}

	/**
	 * Configuration for servlet applications.
	 */
	@Configuration(proxyBeanMethods = false)
	@ConditionalOnWebApplication(type = Type.SERVLET)
	static class Servlet {

		@Bean
		OncePerRequestFilter steadyJobsReadOnlyEndpointFilter(PathMappedEndpoints endpoints,
				EndpointAccessResolver access) {
			return new OncePerRequestFilter() {

				@Override
				protected boolean shouldNotFilter(HttpServletRequest request) {
					return !isRefused(HttpMethod.valueOf(request.getMethod()), request.getRequestURI(), endpoints,
							access);
				}

				@Override
				protected void doFilterInternal(HttpServletRequest request, HttpServletResponse response,
						FilterChain chain) throws ServletException, IOException {
					chain.doFilter(request, new HttpServletResponseWrapper(response) {

						@Override
						public void sendError(int status, String message) throws IOException {
							if (status != STATUS.value()) {
								super.sendError(status, message);
								return;
							}
							setStatus(status);
							setContentType(MediaType.APPLICATION_JSON_VALUE);
							getOutputStream().write(BODY);
						}

					});
				}

			};
		}

	}

	/**
	 * Configuration for reactive applications.
	 */
	@Configuration(proxyBeanMethods = false)
	@ConditionalOnWebApplication(type = Type.REACTIVE)
	static class Reactive {

		@Bean
		WebFilter steadyJobsReadOnlyEndpointFilter(PathMappedEndpoints endpoints, EndpointAccessResolver access) {
			return (exchange, chain) -> {
				if (!isRefused(exchange.getRequest().getMethod(), exchange.getRequest().getURI().getPath(), endpoints,
						access)) {
					return chain.filter(exchange);
				}
				return chain.filter(exchange).onErrorResume(MethodNotAllowedException.class, (ex) -> {
					ServerHttpResponse response = exchange.getResponse();
					response.setStatusCode(STATUS);
					response.getHeaders().setContentType(MediaType.APPLICATION_JSON);
					return response.writeWith(Mono.just(response.bufferFactory().wrap(BODY)));
				});
			};
		}

	}

}
