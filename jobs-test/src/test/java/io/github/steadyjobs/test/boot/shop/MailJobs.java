package io.github.steadyjobs.test.boot.shop;

import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

import io.github.steadyjobs.Idempotent;
import io.github.steadyjobs.Job;
import io.github.steadyjobs.JobContext;

import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.stereotype.Component;
import org.springframework.transaction.annotation.Transactional;

/**
 * Jobs that record the mails that they would send, and a job that fails.
 */
@Component
public class MailJobs {

	public static final List<String> SENT = new CopyOnWriteArrayList<>();

	private final JdbcTemplate database;

	public MailJobs(JdbcTemplate database) {
		this.database = database;
	}

	public record Welcome(String email) {

	}

	public record Reminder(String email) {

	}

	public record Failing(String message) {

	}

	@Job(queue = "mail", tags = "greeting")
	@Transactional
	public void welcome(Welcome welcome, JobContext job) {
		this.database.update("insert into welcomed values (?)", welcome.email());
		SENT.add("welcome " + welcome.email() + " attempt " + job.attempt() + " tenant " + job.meta().get("tenant"));
	}

	@Job(queue = "mail")
	@Idempotent(strategy = Idempotent.Strategy.UNTIL_EXECUTED)
	public void remind(Reminder reminder) {
		SENT.add("remind " + reminder.email());
	}

	@Job(retries = 2)
	public void fail(Failing failing) {
		throw new IllegalArgumentException(failing.message());
	}

	@Job
	public void send(long invoice, String kind) {
		SENT.add(kind + " " + invoice);
	}

}
