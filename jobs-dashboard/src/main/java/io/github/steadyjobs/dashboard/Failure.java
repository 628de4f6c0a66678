package io.github.steadyjobs.dashboard;

import java.time.Instant;

import io.github.steadyjobs.InvalidJobException;
import io.github.steadyjobs.JobStoreException;
import org.jspecify.annotations.Nullable;

/**
 * The content of the page for a failed request.
 *
 * @param status the HTTP status
 * @param text a description of the problem
 * @param back the address of the page on which the viewer can continue
 * @param lastAnswer when Redis last answered; {@code null} if Redis has never answered,
 * or if Redis is not the problem
 */
record Failure(int status, String text, String back, @Nullable Instant lastAnswer) {

	static final int BAD_REQUEST = 400;

	static final int UNEXPECTED = 500;

	static final int UNAVAILABLE = 503;

	static Failure of(RuntimeException problem, @Nullable Instant lastAnswer) {
		if (problem instanceof RefusedException refused) {
			return new Failure(refused.status(), refused.text(), refused.back(), null);
		}
		if (problem instanceof JobStoreException) {
			return new Failure(UNAVAILABLE, Plain.line(problem.getMessage()), Address.HOME, lastAnswer);
		}
		if (problem instanceof IllegalArgumentException || problem instanceof InvalidJobException) {
			// A bean has refused the request, and the message says why.
			return new Failure(BAD_REQUEST, Plain.line(problem.getMessage()), Address.HOME, null);
		}
		// The details are only logged, because they may be secret.
		return new Failure(UNEXPECTED, Words.of("refused.unexpected"), Address.HOME, null);
	}

	static Failure busy() {
		return new Failure(UNAVAILABLE, Words.of("refused.busy"), Address.HOME, null);
	}

	View view() {
		return new View("failure", Words.of("failure." + this.status), this);
	}

}
