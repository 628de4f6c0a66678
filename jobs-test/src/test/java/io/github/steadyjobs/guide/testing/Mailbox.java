package io.github.steadyjobs.guide.testing;

import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

import org.springframework.stereotype.Component;

@Component
class Mailbox {

	private final List<String> recipients = new CopyOnWriteArrayList<>();

	void send(String recipient) {
		if (recipient.isEmpty()) {
			throw new IllegalArgumentException("There is no recipient");
		}
		this.recipients.add(recipient);
	}

	List<String> recipients() {
		return this.recipients;
	}

}
