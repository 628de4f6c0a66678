package io.github.steadyjobs.guide.testing;

import java.time.Duration;

import io.github.steadyjobs.JobClient;

import org.springframework.stereotype.Service;
import org.springframework.transaction.annotation.Transactional;

@Service
class SignUp {

	private final JobClient jobs;

	SignUp(JobClient jobs) {
		this.jobs = jobs;
	}

	@Transactional
	void register(String email) {
		this.jobs.enqueue(new Welcome(email));
		this.jobs.schedule(MailJobs.class, (mail) -> mail.remind(email, 7), Duration.ofDays(7));
	}

}
