package io.github.steadyjobs.samples.quickstart;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;

import org.springframework.http.CacheControl;
import org.springframework.http.HttpStatus;
import org.springframework.http.MediaType;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RestController;
import org.springframework.web.server.ResponseStatusException;

/**
 * Shows the contact sheet.
 */
@RestController
class ContactSheetController {

	private final PhotoStore store;

	ContactSheetController(PhotoStore store) {
		this.store = store;
	}

	@GetMapping("/contact-sheet")
	ResponseEntity<byte[]> contactSheet() throws IOException {
		try {
			return ResponseEntity.ok()
				.contentType(MediaType.IMAGE_JPEG)
				.cacheControl(CacheControl.noCache())
				.body(Files.readAllBytes(this.store.contactSheet()));
		}
		catch (NoSuchFileException ex) {
			throw new ResponseStatusException(HttpStatus.NOT_FOUND,
					"There is no contact sheet yet. It is built two seconds after the first photo is ready.");
		}
	}

}
