package io.github.steadyjobs.samples.quickstart;

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

	private final PhotoStore store;

	StartupMessage(Environment environment, PhotoStore store) {
		this.environment = environment;
		this.store = store;
	}

	@EventListener(ApplicationReadyEvent.class)
	void print() {
		String site = "http://localhost:" + this.environment.getProperty("local.server.port")
				+ this.environment.getProperty("server.servlet.context-path", "");
		logger.info("""
				The photo site is open.

				    Open it         {}/
				    Upload a photo  curl -F file=@photo.jpg {}/photos
				    See one fail    curl -F 'file=no picture;filename=broken.jpg' {}/photos
				    Make load       curl -X POST '{}/demo?photos=200'
				    Look inside     {}/jobs
				                    {}/actuator/health
				                    {}/actuator/metrics
				                    {}/actuator/prometheus
				    Photos are in   {}
				""", site, site, site, site, site, site, site, site, this.store.directory());
	}

}
