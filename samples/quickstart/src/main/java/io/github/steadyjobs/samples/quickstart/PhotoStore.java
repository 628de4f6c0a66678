package io.github.steadyjobs.samples.quickstart;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.UUID;

import tools.jackson.databind.json.JsonMapper;

import org.springframework.beans.factory.DisposableBean;
import org.springframework.stereotype.Component;
import org.springframework.util.FileSystemUtils;

/**
 * Keeps photos in files, with one directory for each photo. Nothing is held in memory, so
 * the results are correct even after a restart or if another process uses the same
 * directory.
 */
@Component
class PhotoStore implements DisposableBean {

	private static final String PHOTO = "photo.json";

	private final Path directory;

	private final boolean temporary;

	private final JsonMapper json;

	PhotoStore(QuickstartProperties properties, JsonMapper json) throws IOException {
		Path configured = properties.directory();
		this.temporary = (configured == null);
		this.directory = (configured != null) ? Files.createDirectories(configured.toAbsolutePath())
				: Files.createTempDirectory("quickstart-");
		this.json = json;
	}

	Path directory() {
		return this.directory;
	}

	Path contactSheet() {
		return this.directory.resolve("contact-sheet.jpg");
	}

	Path original(UUID id) {
		return directory(id).resolve("original");
	}

	Path thumbnail(UUID id, PhotoSize size) {
		return directory(id).resolve(size.value() + ".jpg");
	}

	private Path directory(UUID id) {
		return this.directory.resolve(id.toString());
	}

	void add(Photo photo, InputStream picture) throws IOException {
		Files.createDirectories(directory(photo.id()));
		replace(original(photo.id()), (file) -> Files.copy(picture, file, StandardCopyOption.REPLACE_EXISTING));
		// Write this file last: only a directory that has this file counts as a photo.
		save(photo);
	}

	void save(Photo photo) throws IOException {
		replace(directory(photo.id()).resolve(PHOTO), (file) -> Files.write(file, this.json.writeValueAsBytes(photo)));
	}

	Optional<Photo> find(UUID id) throws IOException {
		return read(directory(id));
	}

	/**
	 * Return all photos, newest first.
	 */
	List<Photo> findAll() throws IOException {
		List<Photo> photos = new ArrayList<>();
		try (DirectoryStream<Path> directories = Files.newDirectoryStream(this.directory, Files::isDirectory)) {
			for (Path directory : directories) {
				read(directory).ifPresent(photos::add);
			}
		}
		photos.sort(Comparator.comparing(Photo::addedAt).reversed());
		return photos;
	}

	private Optional<Photo> read(Path directory) throws IOException {
		try {
			return Optional.of(this.json.readValue(Files.readAllBytes(directory.resolve(PHOTO)), Photo.class));
		}
		catch (NoSuchFileException ex) {
			return Optional.empty();
		}
	}

	void delete(UUID id) throws IOException {
		// Delete this file first, so that no reader finds an incomplete photo.
		Files.deleteIfExists(directory(id).resolve(PHOTO));
		FileSystemUtils.deleteRecursively(directory(id));
	}

	/**
	 * Write a file so that readers see either the complete new content or the old
	 * content, even if the process is killed. This makes it safe to run a job again.
	 */
	void replace(Path file, FileWriter writer) throws IOException {
		Path temporary = Files.createTempFile(file.getParent(), "new-", "-" + file.getFileName());
		try {
			writer.write(temporary);
			Files.move(temporary, file, StandardCopyOption.ATOMIC_MOVE);
		}
		finally {
			Files.deleteIfExists(temporary);
		}
	}

	@Override
	public void destroy() throws IOException {
		if (this.temporary) {
			FileSystemUtils.deleteRecursively(this.directory);
		}
	}

	/**
	 * Writes a file.
	 */
	@FunctionalInterface
	interface FileWriter {

		void write(Path file) throws IOException;

	}

}
