package io.github.steadyjobs.samples.quickstart;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.UUID;

import io.github.steadyjobs.JobContext;
import io.github.steadyjobs.samples.quickstart.Photo.State;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.json.JsonMapper;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIOException;
import static org.mockito.BDDMockito.given;
import static org.mockito.BDDMockito.then;
import static org.mockito.Mockito.mock;
import static org.mockito.Mockito.spy;
import static org.mockito.Mockito.times;

/**
 * Tests for {@link PhotoJobs}.
 */
class PhotoJobsTests {

	private final JobContext job = mock(JobContext.class);

	private final ContactSheets contactSheets = mock(ContactSheets.class);

	private PhotoStore store;

	private Thumbnailer thumbnailer;

	private PhotoJobs photoJobs;

	@BeforeEach
	void setUp(@TempDir Path directory) throws IOException {
		Duration any = Duration.ofHours(1);
		this.store = new PhotoStore(new QuickstartProperties(directory, any, any), JsonMapper.shared());
		this.thumbnailer = spy(new Thumbnailer(this.store));
		this.photoJobs = new PhotoJobs(this.store, this.thumbnailer, this.contactSheets);
		given(this.job.id()).willReturn("job");
		given(this.job.attempt()).willReturn(1, 2);
		given(this.job.maxAttempts()).willReturn(4);
	}

	@Test
	void thumbnailsWhenPictureIsBrokenShowsFailureAndThenRetry() throws IOException {
		UUID id = add("no picture".getBytes());
		assertThatIOException().isThrownBy(() -> this.photoJobs.thumbnails(id, this.job));
		Photo failed = this.store.find(id).orElseThrow();
		assertThat(failed).returns(State.FAILED, Photo::state)
			.returns(new Photo.Failure("job", 1, 4, "No picture of a known kind"), Photo::failure);
		assertThat(failed.working()).returns(State.WORKING, Photo::state).returns(failed.failure(), Photo::failure);
	}

	@Test
	void thumbnailsWhenARetrySucceedsForgetsTheFailure() throws IOException {
		UUID id = add(Pictures.jpeg(20, 20));
		this.store.save(this.store.find(id).orElseThrow().failed(this.job, new IOException("disk full")));
		this.photoJobs.thumbnails(id, this.job);
		assertThat(this.store.find(id)).get().returns(State.READY, Photo::state).returns(null, Photo::failure);
	}

	@Test
	void thumbnailsWhenRunTwiceMakesThemOnce() throws IOException {
		UUID id = add(Pictures.jpeg(20, 20));
		this.photoJobs.thumbnails(id, this.job);
		this.photoJobs.thumbnails(id, this.job);
		then(this.thumbnailer).should().makeThumbnails(id);
	}

	@Test
	void thumbnailsWhenPhotoIsGoneDoesNothing() throws IOException {
		this.photoJobs.thumbnails(UUID.randomUUID(), this.job);
		then(this.contactSheets).shouldHaveNoInteractions();
	}

	@Test
	void expireDeletesPhotoAndRenewsContactSheet() throws IOException {
		UUID id = add(Pictures.jpeg(20, 20));
		this.photoJobs.expire(id);
		this.photoJobs.expire(id);
		assertThat(this.store.findAll()).isEmpty();
		then(this.contactSheets).should(times(2)).requestSoon();
	}

	private UUID add(byte[] picture) throws IOException {
		Photo photo = Photo.uploaded(UUID.randomUUID(), "beach.jpg");
		this.store.add(photo, new ByteArrayInputStream(picture));
		return photo.id();
	}

}
