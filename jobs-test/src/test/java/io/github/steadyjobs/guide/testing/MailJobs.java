package io.github.steadyjobs.guide.testing;

import io.github.steadyjobs.Job;

import org.springframework.stereotype.Component;

@Component
class MailJobs {

	private final Mailbox mailbox;

	MailJobs(Mailbox mailbox) {
		this.mailbox = mailbox;
	}

	@Job(queue = "mail")
	void welcome(Welcome welcome) {
		this.mailbox.send(welcome.email());
	}

	@Job(queue = "mail")
	void remind(String email, int days) {
		this.mailbox.send(email);
	}

}
