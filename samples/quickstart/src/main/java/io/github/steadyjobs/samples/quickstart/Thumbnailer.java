package io.github.steadyjobs.samples.quickstart;

import java.awt.image.BufferedImage;
import java.io.IOException;
import java.util.List;
import java.util.UUID;

import net.coobird.thumbnailator.Thumbnails;

import org.springframework.stereotype.Component;

/**
 * Makes the thumbnails of a photo.
 */
@Component
class Thumbnailer {

	private final PhotoStore store;

	Thumbnailer(PhotoStore store) {
		this.store = store;
	}

	void makeThumbnails(UUID photoId) throws IOException {
		BufferedImage picture = PictureReader.read(this.store.original(photoId));
		// Make each size from the previous size, so that the photo itself is scaled only
		// once.
		for (PhotoSize size : List.of(PhotoSize.LARGE, PhotoSize.MEDIUM, PhotoSize.SMALL)) {
			picture = fit(picture, size.pixels());
			this.store.replace(this.store.thumbnail(photoId, size), new JpegWriter(picture));
		}
	}

	private static BufferedImage fit(BufferedImage picture, int pixels) throws IOException {
		if (Math.max(picture.getWidth(), picture.getHeight()) <= pixels) {
			return picture;
		}
		return Thumbnails.of(picture).size(pixels, pixels).asBufferedImage();
	}

}
