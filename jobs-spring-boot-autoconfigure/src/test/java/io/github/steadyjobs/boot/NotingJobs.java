package io.github.steadyjobs.boot;

import io.github.steadyjobs.Job;
import io.github.steadyjobs.JobClient;
import io.github.steadyjobs.NotIdempotent;

import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/**
 * An application with a job that adds its argument to a list of notes.
 */
@Configuration(proxyBeanMethods = false)
class NotingJobs {

	private final Notes notes = new Notes();

	@Bean
	Notes notes() {
		return this.notes;
	}

	@Job
	@NotIdempotent("notes it again")
	void note(String text) {
		this.notes.add(text);
	}

	/**
	 * Enqueue a job that adds a text to the notes of an application.
	 */
	static void enqueue(ConfigurableApplicationContext application, String text) {
		application.getBean(JobClient.class).enqueue(NotingJobs.class, (jobs) -> jobs.note(text));
	}

}
