package io.github.steadyjobs.samples.quickstart;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.util.UUID;
import javax.imageio.ImageIO;

import io.github.steadyjobs.Idempotent;
import io.github.steadyjobs.Job;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import org.springframework.stereotype.Component;

/**
 * Generates load: each job paints a picture and adds it as if it had been uploaded.
 */
@Component
class DemoJobs {

	private static final Logger logger = LoggerFactory.getLogger(DemoJobs.class);

	private final PhotoIntake intake;

	DemoJobs(PhotoIntake intake) {
		this.intake = intake;
	}

	/**
	 * Paint a picture. The id of the photo is an argument of the job, so a second run
	 * does not create a second photo.
	 */
	@Job
	@Idempotent
	void paint(UUID photoId, int number) throws IOException {
		ByteArrayOutputStream picture = new ByteArrayOutputStream();
		ImageIO.write(DemoPicture.paint(number), "jpg", picture);
		String jobId = this.intake.add(Photo.demo(photoId, number), new ByteArrayInputStream(picture.toByteArray()));
		logger.info("Demo photo {} painted, job {} makes its thumbnails", photoId, jobId);
	}

}
