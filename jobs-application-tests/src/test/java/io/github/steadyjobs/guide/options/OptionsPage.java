package io.github.steadyjobs.guide.options;

import java.time.Duration;
import java.util.UUID;

import io.github.steadyjobs.Job;
import io.github.steadyjobs.RetryDelay;
import io.github.steadyjobs.SnoozeJobException;

import org.springframework.context.annotation.Bean;

/**
 * Code of {@code docs/options.md}.
 */
class OptionsPage {

	Bank bank;

	@Job(queue = "mail", retries = 10, retryFor = "2d", excludes = InvalidAddressException.class,
			backoff = "#count < 3 ? '10s' : '10m'", timeout = "30s", expires = "1h", tags = "outgoing")
	void send(Mail mail) {
	}

	@Job(backoff = "rateLimited")
	void call(Request request) {
	}

	@Bean(defaultCandidate = false)
	RetryDelay rateLimited() {
		return (count, job, failure) -> (failure instanceof TooManyRequests limit) ? limit.retryAfter()
				: RetryDelay.sidekiq().delay(count, job, failure);
	}

	@Job
	void settle(UUID payment) {
		if (!this.bank.hasReport(payment)) {
			throw new SnoozeJobException(Duration.ofMinutes(10));
		}
	}

	record Mail(String recipient) {

	}

	record Request(String path) {

	}

	interface Bank {

		boolean hasReport(UUID payment);

	}

	static class InvalidAddressException extends RuntimeException {

	}

	static class TooManyRequests extends RuntimeException {

		Duration retryAfter() {
			return Duration.ofSeconds(30);
		}

	}

}
