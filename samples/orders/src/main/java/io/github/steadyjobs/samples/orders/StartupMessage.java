package io.github.steadyjobs.samples.orders;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import org.springframework.boot.context.event.ApplicationReadyEvent;
import org.springframework.context.event.EventListener;
import org.springframework.core.env.Environment;
import org.springframework.stereotype.Component;

/**
 * Logs the address of the page and suggests what to try.
 */
@Component
class StartupMessage {

	private static final Logger logger = LoggerFactory.getLogger(StartupMessage.class);

	private final Environment environment;

	StartupMessage(Environment environment) {
		this.environment = environment;
	}

	@EventListener(ApplicationReadyEvent.class)
	void print() {
		String site = "http://localhost:" + this.environment.getProperty("local.server.port")
				+ this.environment.getProperty("server.servlet.context-path", "");
		logger.info("""
				The shop is open.

				    Open it              {}/
				    Look inside          {}/jobs
				    As JSON              curl {}/orders
				    Restart the workers  curl -X POST {}/restart
				    Send another stream  curl -X POST {}/stream
				""", site, site, site, site, site);
	}

}
