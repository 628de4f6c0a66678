package io.github.steadyjobs.samples.quickstart;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.UUID;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.json.JsonMapper;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIOException;

/**
 * Tests for {@link PhotoStore}.
 */
class PhotoStoreTests {

	@TempDir
	private Path directory;

	@Test
	void findWhenApplicationWasRestartedFindsPhoto() throws IOException {
		Photo photo = add(storeIn(this.directory)).ready();
		storeIn(this.directory).save(photo);
		assertThat(storeIn(this.directory).find(photo.id())).contains(photo);
	}

	@Test
	void findAllReturnsNewestFirst() throws IOException {
		PhotoStore store = storeIn(this.directory);
		Photo first = add(store);
		Photo second = add(store);
		assertThat(store.findAll()).containsExactly(second, first);
	}

	@Test
	void replaceWhenWriterFailsKeepsWhatWasThere() throws IOException {
		PhotoStore store = storeIn(this.directory);
		Photo photo = add(store);
		assertThatIOException().isThrownBy(() -> store.replace(store.original(photo.id()), (file) -> {
			throw new IOException("disk full");
		}));
		assertThat(store.original(photo.id())).hasContent("picture");
		assertThat(this.directory.resolve(photo.id().toString())).isDirectoryNotContaining("glob:**new-*");
	}

	@Test
	void deleteRemovesPhotoAndItsFiles() throws IOException {
		PhotoStore store = storeIn(this.directory);
		Photo photo = add(store);
		store.delete(photo.id());
		assertThat(store.find(photo.id())).isEmpty();
		assertThat(this.directory).isEmptyDirectory();
	}

	@Test
	void destroyWhenDirectoryIsConfiguredKeepsIt() throws IOException {
		PhotoStore store = storeIn(this.directory);
		Photo photo = add(store);
		store.destroy();
		assertThat(store.original(photo.id())).exists();
	}

	@Test
	void destroyWhenDirectoryIsTemporaryRemovesIt() throws IOException {
		PhotoStore store = storeIn(null);
		add(store);
		store.destroy();
		assertThat(store.directory()).doesNotExist();
	}

	private static PhotoStore storeIn(Path directory) throws IOException {
		Duration any = Duration.ofHours(1);
		return new PhotoStore(new QuickstartProperties(directory, any, any), JsonMapper.shared());
	}

	private static Photo add(PhotoStore store) throws IOException {
		Photo photo = Photo.uploaded(UUID.randomUUID(), "beach.jpg");
		store.add(photo, new ByteArrayInputStream("picture".getBytes()));
		return photo;
	}

}
