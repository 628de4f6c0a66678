package io.github.steadyjobs.samples.quickstart;

import java.awt.image.BufferedImage;
import java.io.IOException;
import java.nio.file.Path;
import javax.imageio.ImageIO;

import io.github.steadyjobs.samples.quickstart.PhotoStore.FileWriter;

import org.springframework.util.Assert;

/**
 * Writes a picture as JPEG.
 *
 * @param picture the picture
 */
record JpegWriter(BufferedImage picture) implements FileWriter {

	@Override
	public void write(Path file) throws IOException {
		// For a picture with transparency, this method writes nothing and returns false.
		Assert.state(ImageIO.write(this.picture, "jpg", file.toFile()), "This picture cannot be a JPEG");
	}

}
