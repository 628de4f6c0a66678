package io.github.steadyjobs.test.boot;

import io.github.steadyjobs.JobClient;
import io.github.steadyjobs.client.JobStore;
import io.github.steadyjobs.server.Launcher;
import io.github.steadyjobs.test.boot.shop.ShopApplication;
import org.junit.jupiter.api.Test;

import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.context.ApplicationContext;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests that the presence of this module on the class path changes nothing.
 */
@SpringBootTest(classes = ShopApplication.class, properties = { "spring.datasource.generate-unique-name=true",
		"spring.data.redis.port=1", "steadyjobs.worker.auto-startup=false", "steadyjobs.doctor.enabled=false" })
class NoAnnotationTests {

	@Test
	void jobsAreThoseOfTheApplication(@Autowired ApplicationContext context) {
		assertThat(context.getBeanProvider(RecordedJobs.class).stream()).isEmpty();
		assertThat(context.getBeanProvider(NoRedis.class).stream()).isEmpty();
		assertThat(context.getBean(JobClient.class)).isNotInstanceOf(InlineJobClient.class);
		assertThat(context.getBean(JobStore.class)).isNotNull();
		assertThat(context.getBean(Launcher.class)).isNotNull();
	}

}
