package io.github.steadyjobs.samples.quickstart;

import java.awt.Color;
import java.awt.Graphics2D;
import java.awt.image.BufferedImage;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.regex.Pattern;
import javax.imageio.IIOException;
import javax.imageio.ImageIO;
import javax.imageio.ImageReadParam;
import javax.imageio.ImageReader;
import javax.imageio.stream.ImageInputStream;

import net.coobird.thumbnailator.util.exif.ExifFilterUtils;
import net.coobird.thumbnailator.util.exif.ExifUtils;
import net.coobird.thumbnailator.util.exif.Orientation;

/**
 * Reads an uploaded picture without trusting its content.
 */
final class PictureReader {

	// Larger pictures are refused: even a small file may contain a picture that would
	// fill the whole memory.
	private static final long MAX_PIXELS = 50_000_000;

	// Twice the size of the largest thumbnail is enough for each side. More pixels would
	// only use memory.
	private static final int ENOUGH = 2 * PhotoSize.LARGE.pixels();

	// Matches damage that the JDK's readers only warn about and fill with grey.
	private static final Pattern DAMAGE = Pattern.compile("Truncated File.*|Corrupt JPEG data.*|Out-of-sequence.*");

	private PictureReader() {
	}

	/**
	 * Read a picture. The result is upright, without transparency, and no larger than is
	 * useful for thumbnails.
	 * @throws IOException if the file is not a picture, or is damaged or too large
	 */
	static BufferedImage read(Path file) throws IOException {
		try (ImageInputStream input = ImageIO.createImageInputStream(file.toFile())) {
			Iterator<ImageReader> readers = ImageIO.getImageReaders(input);
			if (!readers.hasNext()) {
				throw new IIOException("No picture of a known kind");
			}
			ImageReader reader = readers.next();
			try {
				reader.setInput(input);
				return flatten(turnUpright(read(reader), reader));
			}
			finally {
				reader.dispose();
			}
		}
	}

	private static BufferedImage read(ImageReader reader) throws IOException {
		int width = reader.getWidth(0);
		int height = reader.getHeight(0);
		if ((long) width * height > MAX_PIXELS) {
			throw new IIOException("%d x %d pixels are too many".formatted(width, height));
		}
		List<String> warnings = new ArrayList<>();
		reader.addIIOReadWarningListener((source, warning) -> warnings.add(warning));
		ImageReadParam param = reader.getDefaultReadParam();
		int step = Math.max(1, Math.max(width, height) / ENOUGH);
		param.setSourceSubsampling(step, step, 0, 0);
		BufferedImage picture = reader.read(0, param);
		for (String warning : warnings) {
			if (DAMAGE.matcher(warning).matches()) {
				throw new IIOException("Damaged picture: " + warning);
			}
		}
		return picture;
	}

	private static BufferedImage turnUpright(BufferedImage picture, ImageReader reader) {
		try {
			Orientation orientation = ExifUtils.getExifOrientation(reader, 0);
			return (orientation != null) ? ExifFilterUtils.getFilterForOrientation(orientation).apply(picture)
					: picture;
		}
		catch (IOException | RuntimeException ex) {
			// Only the metadata from the camera is damaged, so the picture can be used.
			return picture;
		}
	}

	private static BufferedImage flatten(BufferedImage picture) {
		BufferedImage flat = new BufferedImage(picture.getWidth(), picture.getHeight(), BufferedImage.TYPE_3BYTE_BGR);
		Graphics2D graphics = flat.createGraphics();
		graphics.drawImage(picture, 0, 0, Color.WHITE, null);
		graphics.dispose();
		return flat;
	}

}
