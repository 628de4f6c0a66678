package io.github.steadyjobs.guide.sidekiqbridge;

import java.time.Instant;
import java.time.temporal.ChronoUnit;

import io.github.steadyjobs.sidekiq.SidekiqClient;
import io.github.steadyjobs.sidekiq.SidekiqJob;

import org.springframework.stereotype.Component;

/**
 * Code of {@code docs/sidekiq-bridge.md}.
 */
class SidekiqBridgePage {

	@Component
	class Thumbnails {

		private final SidekiqClient sidekiq;

		Thumbnails(SidekiqClient sidekiq) {
			this.sidekiq = sidekiq;
		}

		void request(long imageId) {
			this.sidekiq.enqueue("Images::ThumbnailJob", imageId, "200x200");
			this.sidekiq.schedule(Instant.now().plus(1, ChronoUnit.DAYS), "Images::CleanUpJob", imageId);
			this.sidekiq.enqueue(SidekiqJob.of("Images::ThumbnailJob", imageId).queue("low").retries(5));
		}

	}

}
