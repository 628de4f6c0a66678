package io.github.steadyjobs.samples.quickstart;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.UUID;
import javax.imageio.ImageIO;

import io.github.steadyjobs.JobClient;
import io.github.steadyjobs.JobRequest;
import io.github.steadyjobs.JobStoreUnavailableException;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.json.JsonMapper;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.mockito.ArgumentMatchers.any;
import static org.mockito.BDDMockito.given;
import static org.mockito.Mockito.mock;
import static org.mockito.Mockito.times;
import static org.mockito.Mockito.verify;

/**
 * Tests for {@link ContactSheets}.
 */
class ContactSheetsTests {

	private final JobClient jobs = mock(JobClient.class);

	private PhotoStore store;

	private ContactSheets contactSheets;

	@BeforeEach
	void setUp(@TempDir Path directory) throws IOException {
		Duration any = Duration.ofHours(1);
		this.store = new PhotoStore(new QuickstartProperties(directory, any, any), JsonMapper.shared());
		this.contactSheets = new ContactSheets(this.store, this.jobs);
	}

	@Test
	void requestSoonWhenBuildIsDueEnqueuesNoOther() {
		this.contactSheets.requestSoon();
		this.contactSheets.requestSoon();
		verify(this.jobs, times(1)).enqueue(any(JobRequest.class));
	}

	@Test
	void requestSoonWhenEnqueueFailedEnqueuesAgain() {
		given(this.jobs.enqueue(any(JobRequest.class))).willThrow(new JobStoreUnavailableException("away", null))
			.willReturn(null);
		assertThatExceptionOfType(JobStoreUnavailableException.class).isThrownBy(this.contactSheets::requestSoon);
		this.contactSheets.requestSoon();
		verify(this.jobs, times(2)).enqueue(any(JobRequest.class));
	}

	@Test
	void buildShowsPhotosThatAreReady() throws IOException {
		for (int i = 0; i < 5; i++) {
			addReadyPhoto();
		}
		this.store.add(Photo.uploaded(UUID.randomUUID(), "waits.jpg"), new ByteArrayInputStream(new byte[0]));
		this.contactSheets.build();
		assertThat(ImageIO.read(this.store.contactSheet().toFile())).satisfies((sheet) -> {
			assertThat(sheet.getWidth()).isEqualTo(4 * 160);
			assertThat(sheet.getHeight()).isEqualTo(2 * 160);
		});
	}

	@Test
	void buildWhenNoPhotoIsLeftRemovesSheet() throws IOException {
		UUID id = addReadyPhoto();
		this.contactSheets.build();
		this.store.delete(id);
		this.contactSheets.build();
		assertThat(this.store.contactSheet()).doesNotExist();
	}

	private UUID addReadyPhoto() throws IOException {
		Photo photo = Photo.uploaded(UUID.randomUUID(), "beach.jpg");
		this.store.add(photo, new ByteArrayInputStream(Pictures.jpeg(300, 200)));
		new Thumbnailer(this.store).makeThumbnails(photo.id());
		this.store.save(photo.ready());
		return photo.id();
	}

}
