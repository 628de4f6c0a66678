package io.github.steadyjobs.test.boot.shop;

import java.time.Duration;

import io.github.steadyjobs.JobClient;
import io.github.steadyjobs.JobRequest;

import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.stereotype.Service;
import org.springframework.transaction.annotation.Transactional;

/**
 * Registers customers, and enqueues jobs in the same transaction.
 */
@Service
public class SignUp {

	private final JdbcTemplate database;

	private final JobClient jobs;

	public SignUp(JdbcTemplate database, JobClient jobs) {
		this.database = database;
		this.jobs = jobs;
		database.execute("create table if not exists customer (email varchar(100))");
		database.execute("create table if not exists welcomed (email varchar(100))");
	}

	@Transactional
	public void register(String email) {
		this.database.update("insert into customer values (?)", email);
		this.jobs.enqueue(new MailJobs.Welcome(email));
		this.jobs.enqueue(JobRequest.of(new MailJobs.Reminder(email)).after(Duration.ofDays(7)));
	}

	@Transactional
	public void fail(String email) {
		register(email);
		throw new IllegalStateException("The customer is refused");
	}

}
