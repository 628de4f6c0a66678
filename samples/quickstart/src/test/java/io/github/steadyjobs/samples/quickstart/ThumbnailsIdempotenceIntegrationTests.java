package io.github.steadyjobs.samples.quickstart;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.UUID;
import java.util.stream.Stream;

import io.github.steadyjobs.JobContext;
import io.github.steadyjobs.JobRequest;
import io.github.steadyjobs.test.IdempotentJobContract;

import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.test.context.SpringBootTest;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests that thumbnails can be created twice. Workers are disabled, so that only the test
 * changes the files.
 */
@SpringBootTest(properties = "steadyjobs.worker.enabled=false")
class ThumbnailsIdempotenceIntegrationTests implements IdempotentJobContract {

	private final Photo photo = Photo.uploaded(UUID.randomUUID(), "beach.jpg");

	@Autowired
	private PhotoStore store;

	@Override
	public JobRequest request() throws IOException {
		this.store.add(this.photo, new ByteArrayInputStream(Pictures.jpeg(200, 100)));
		return JobRequest.of(PhotoJobs.class, (photos) -> photos.thumbnails(this.photo.id(), JobContext.none()));
	}

	@Override
	public Map<Path, byte[]> observe() throws IOException {
		Map<Path, byte[]> files = new TreeMap<>();
		try (Stream<Path> found = Files.walk(this.store.directory())) {
			List<Path> regular = found.filter(Files::isRegularFile).toList();
			for (Path file : regular) {
				files.put(file, Files.readAllBytes(file));
			}
		}
		return files;
	}

	@Override
	public void verify(int run) throws IOException {
		assertThat(this.store.find(this.photo.id())).get().matches(Photo::isReady);
	}

}
