package io.github.steadyjobs.samples.quickstart;

import io.github.steadyjobs.JobStoreException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import org.springframework.http.HttpStatus;
import org.springframework.http.ProblemDetail;
import org.springframework.web.bind.annotation.ExceptionHandler;
import org.springframework.web.bind.annotation.RestControllerAdvice;
import org.springframework.web.multipart.MultipartException;

/**
 * Returns problem details in cases that Spring does not cover.
 */
@RestControllerAdvice
class Problems {

	private static final Logger logger = LoggerFactory.getLogger(Problems.class);

	@ExceptionHandler
	ProblemDetail notMultipart(MultipartException ex) {
		return ProblemDetail.forStatusAndDetail(HttpStatus.BAD_REQUEST,
				"Send the picture as the multipart field 'file'");
	}

	@ExceptionHandler
	ProblemDetail redisUnusable(JobStoreException ex) {
		logger.warn("A request was refused, because Redis could not be used", ex);
		return ProblemDetail.forStatusAndDetail(HttpStatus.SERVICE_UNAVAILABLE,
				"Redis cannot be used at the moment. Try again later.");
	}

}
