package io.github.steadyjobs.boot;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.lang.reflect.Type;

import io.github.steadyjobs.arguments.JobJson;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

import org.springframework.core.MethodParameter;
import org.springframework.http.HttpHeaders;
import org.springframework.http.HttpInputMessage;
import org.springframework.http.converter.HttpMessageConverter;
import org.springframework.web.bind.annotation.ControllerAdvice;
import org.springframework.web.servlet.mvc.method.annotation.RequestBodyAdviceAdapter;

/**
 * Passes the arguments of a job to {@code edit} unchanged. Spring Boot reads the body of
 * an operation as a map of strings. It would reject a body that contains an array,
 * without calling the endpoint. So this class replaces the array with its JSON text.
 */
@ControllerAdvice
final class ArgumentsAdvice extends RequestBodyAdviceAdapter {

	/** The handler class of Spring Boot for endpoint operations, which is not public. */
	private static final String HANDLER = "org.springframework.boot.webmvc.actuate.endpoint.web."
			+ "AbstractWebMvcEndpointHandlerMapping$OperationHandler";

	private final JsonMapper mapper = JobJson.builder().build();

	@Override
	public boolean supports(MethodParameter parameter, Type type,
			Class<? extends HttpMessageConverter<?>> converterType) {
		return parameter.getContainingClass().getName().equals(HANDLER);
	}

	@Override
	public HttpInputMessage beforeBodyRead(HttpInputMessage message, MethodParameter parameter, Type type,
			Class<? extends HttpMessageConverter<?>> converterType) throws IOException {
		return new Body(withText(message.getBody().readAllBytes()), message.getHeaders());
	}

	private byte[] withText(byte[] body) {
		try {
			JsonNode root = this.mapper.readTree(body);
			JsonNode arguments = root.path("arguments");
			if (root instanceof ObjectNode object && root.path("action").asString("").equals("edit")
					&& arguments.isArray()) {
				return this.mapper.writeValueAsBytes(object.put("arguments", arguments.toString()));
			}
		}
		catch (JacksonException ex) {
			// The reader that comes next reports the error.
		}
		return body;
	}

	private record Body(byte[] bytes, HttpHeaders headers) implements HttpInputMessage {

		@Override
		public InputStream getBody() {
			return new ByteArrayInputStream(this.bytes);
		}

		@Override
		public HttpHeaders getHeaders() {
			return this.headers;
		}

	}

}
