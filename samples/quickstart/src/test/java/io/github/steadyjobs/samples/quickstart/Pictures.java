package io.github.steadyjobs.samples.quickstart;

import java.awt.image.BufferedImage;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.util.HexFormat;
import javax.imageio.ImageIO;

/**
 * Pictures for tests.
 */
final class Pictures {

	// EXIF data saying that the camera was turned, so the picture has to be rotated by 90
	// degrees clockwise.
	private static final byte[] EXIF_TURNED = HexFormat.of()
		.parseHex("ffe1002245786966000049492a0008000000010012010300010000000600000000000000");

	private Pictures() {
	}

	static byte[] jpeg(int width, int height) {
		return encode(new BufferedImage(width, height, BufferedImage.TYPE_INT_RGB), "jpg");
	}

	static byte[] turnedJpeg(int width, int height) {
		byte[] jpeg = jpeg(width, height);
		ByteArrayOutputStream turned = new ByteArrayOutputStream();
		// The EXIF data follows the two marker bytes at the beginning of a JPEG file.
		turned.write(jpeg, 0, 20);
		turned.writeBytes(EXIF_TURNED);
		turned.write(jpeg, 20, jpeg.length - 20);
		return turned.toByteArray();
	}

	static byte[] encode(BufferedImage picture, String format) {
		ByteArrayOutputStream bytes = new ByteArrayOutputStream();
		try {
			ImageIO.write(picture, format, bytes);
		}
		catch (IOException ex) {
			throw new IllegalStateException(ex);
		}
		return bytes.toByteArray();
	}

}
