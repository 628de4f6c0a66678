package io.github.steadyjobs.samples.quickstart;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.regex.Pattern;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import org.springframework.http.CacheControl;
import org.springframework.http.HttpStatus;
import org.springframework.http.MediaType;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RequestPart;
import org.springframework.web.bind.annotation.RestController;
import org.springframework.web.multipart.MultipartFile;
import org.springframework.web.server.ResponseStatusException;
import org.springframework.web.servlet.support.ServletUriComponentsBuilder;

/**
 * Accepts photos, and returns photos and their state.
 */
@RestController
@RequestMapping("/photos")
class PhotoController {

	private static final int MAX_LIMIT = 500;

	private static final int MAX_NAME = 100;

	private static final Pattern PHOTO_ID = Pattern.compile("\\p{XDigit}{8}(-\\p{XDigit}{4}){3}-\\p{XDigit}{12}");

	private static final Logger logger = LoggerFactory.getLogger(PhotoController.class);

	private final PhotoIntake intake;

	private final PhotoStore store;

	PhotoController(PhotoIntake intake, PhotoStore store) {
		this.intake = intake;
		this.store = store;
	}

	/**
	 * Accept any file. The job finds out whether the file is a picture.
	 */
	@PostMapping
	ResponseEntity<Accepted> add(@RequestPart("file") List<MultipartFile> files) throws IOException {
		MultipartFile file = files.get(0);
		if (files.size() > 1 || file.isEmpty()) {
			throw new ResponseStatusException(HttpStatus.BAD_REQUEST,
					(files.size() > 1) ? "Send one file per request" : "The file is empty");
		}
		UUID id = UUID.randomUUID();
		String name = displayName(file);
		String jobId;
		try (InputStream picture = file.getInputStream()) {
			jobId = this.intake.add(Photo.uploaded(id, name), picture);
		}
		logger.info("Photo {} ({}, {} bytes) uploaded, job {} makes its thumbnails", id, name, file.getSize(), jobId);
		return ResponseEntity.accepted()
			.location(ServletUriComponentsBuilder.fromCurrentRequestUri().pathSegment(id.toString()).build().toUri())
			.body(new Accepted(id, jobId));
	}

	private static String displayName(MultipartFile file) {
		String path = Optional.ofNullable(file.getOriginalFilename()).orElse("");
		// The name is only shown, never used as a path. Remove characters that could
		// forge a log line.
		String name = path.substring(Math.max(path.lastIndexOf('/'), path.lastIndexOf('\\')) + 1)
			.codePoints()
			.filter((character) -> !Character.isISOControl(character))
			.limit(MAX_NAME)
			.collect(StringBuilder::new, StringBuilder::appendCodePoint, StringBuilder::append)
			.toString();
		return name.isBlank() ? "photo" : name;
	}

	@GetMapping
	Gallery gallery(@RequestParam(defaultValue = "60") int limit) throws IOException {
		if (limit < 1 || limit > MAX_LIMIT) {
			throw new ResponseStatusException(HttpStatus.BAD_REQUEST,
					"Parameter 'limit' must be between 1 and " + MAX_LIMIT);
		}
		return Gallery.of(this.store.findAll(), limit, this.store.contactSheet());
	}

	@GetMapping("/{id}")
	Photo photo(@PathVariable String id) throws IOException {
		Optional<Photo> photo = PHOTO_ID.matcher(id).matches() ? this.store.find(UUID.fromString(id))
				: Optional.empty();
		return photo.orElseThrow(() -> new ResponseStatusException(HttpStatus.NOT_FOUND, "No such photo: " + id));
	}

	@GetMapping("/{id}/{size}")
	ResponseEntity<byte[]> thumbnail(@PathVariable String id, @PathVariable String size) throws IOException {
		Photo photo = photo(id);
		PhotoSize photoSize = PhotoSize.find(size)
			.orElseThrow(() -> new ResponseStatusException(HttpStatus.NOT_FOUND, "No such size: " + size));
		if (!photo.isReady()) {
			throw notReady(photo);
		}
		return ResponseEntity.ok()
			.contentType(MediaType.IMAGE_JPEG)
			.cacheControl(CacheControl.maxAge(Duration.ofHours(1)).cachePrivate())
			.body(Files.readAllBytes(this.store.thumbnail(photo.id(), photoSize)));
	}

	private static ResponseStatusException notReady(Photo photo) {
		ResponseStatusException problem = new ResponseStatusException(HttpStatus.NOT_FOUND,
				"The thumbnails of this photo are not ready");
		problem.getBody().setProperty("state", photo.state());
		return problem;
	}

	/**
	 * The answer to an upload.
	 *
	 * @param id the id of the photo
	 * @param jobId the id of the job that makes its thumbnails
	 */
	record Accepted(UUID id, String jobId) {

	}

}
