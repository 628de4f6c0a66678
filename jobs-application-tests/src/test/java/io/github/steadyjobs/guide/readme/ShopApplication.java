package io.github.steadyjobs.guide.readme;

import io.github.steadyjobs.*;
import org.springframework.boot.*;
import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.context.annotation.Bean;

@SpringBootApplication
public class ShopApplication {

	record Welcome(String email) {
	}

	@Job(queue = "mail", retries = 5)
	@NotIdempotent("a second mail does no harm")
	void welcome(Welcome mail, JobContext job) {
		System.out.println("Welcome " + mail.email() + ", attempt " + job.attempt() + " of " + job.maxAttempts());
	}

	@Bean
	ApplicationRunner signUp(JobClient jobs) {
		return (args) -> jobs.enqueue(new Welcome("ada@example.org"));
	}

	public static void main(String[] args) {
		SpringApplication.run(ShopApplication.class, args);
	}

}
