package io.github.steadyjobs.guide.testing;

import io.github.steadyjobs.test.boot.AutoConfigureJobs;
import io.github.steadyjobs.test.boot.AutoConfigureJobs.Mode;
import org.junit.jupiter.api.Test;

import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.test.context.SpringBootTest;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

@SpringBootTest
@AutoConfigureJobs(mode = Mode.REAL)
class RealSignUpIntegrationTests {

	@Test
	void welcomes(@Autowired SignUp signUp, @Autowired Mailbox mailbox) {
		signUp.register("ada@example.org");
		await().untilAsserted(() -> assertThat(mailbox.recipients()).containsExactly("ada@example.org"));
	}

}
