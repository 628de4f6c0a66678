package io.github.steadyjobs.samples.quickstart;

import java.awt.Color;
import java.awt.image.BufferedImage;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Random;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIOException;

/**
 * Tests for {@link PictureReader}.
 */
class PictureReaderTests {

	@TempDir
	private Path directory;

	@Test
	void readWhenPictureIsSmallKeepsEachPixel() throws IOException {
		BufferedImage picture = read(Pictures.jpeg(640, 480));
		assertThat(picture).returns(640, BufferedImage::getWidth).returns(480, BufferedImage::getHeight);
	}

	@Test
	void readWhenPictureIsLargeLeavesOutPixels() throws IOException {
		BufferedImage picture = read(Pictures.jpeg(6000, 3000));
		assertThat(picture).returns(3000, BufferedImage::getWidth).returns(1500, BufferedImage::getHeight);
	}

	@Test
	void readWhenCameraWasTurnedTurnsPictureUpright() throws IOException {
		BufferedImage picture = read(Pictures.turnedJpeg(640, 480));
		assertThat(picture).returns(480, BufferedImage::getWidth).returns(640, BufferedImage::getHeight);
	}

	@Test
	void readWhenPictureIsTransparentPutsItOnWhite() throws IOException {
		BufferedImage picture = read(Pictures.encode(new BufferedImage(8, 8, BufferedImage.TYPE_INT_ARGB), "png"));
		assertThat(new Color(picture.getRGB(4, 4))).isEqualTo(Color.WHITE);
	}

	@ParameterizedTest
	@ValueSource(strings = { "jpg", "png", "gif", "bmp" })
	void readWhenHalfOfTheFileIsMissingFails(String format) {
		byte[] picture = Pictures.encode(noise(), format);
		assertThatIOException().isThrownBy(() -> read(Arrays.copyOf(picture, picture.length / 2)));
	}

	@Test
	void readWhenFileIsNoPictureFails() {
		assertThatIOException().isThrownBy(() -> read("no picture".getBytes()))
			.withMessage("No picture of a known kind");
	}

	@Test
	void readWhenSmallFileHoldsTooManyPixelsFails() {
		byte[] picture = Pictures.encode(new BufferedImage(8000, 7000, BufferedImage.TYPE_BYTE_BINARY), "png");
		assertThat(picture).hasSizeLessThan(50_000);
		assertThatIOException().isThrownBy(() -> read(picture)).withMessage("8000 x 7000 pixels are too many");
	}

	private BufferedImage read(byte[] picture) throws IOException {
		return PictureReader.read(Files.write(this.directory.resolve("picture"), picture));
	}

	private static BufferedImage noise() {
		Random random = new Random(1);
		BufferedImage picture = new BufferedImage(200, 200, BufferedImage.TYPE_INT_RGB);
		for (int i = 0; i < 200 * 200; i++) {
			picture.setRGB(i % 200, i / 200, random.nextInt());
		}
		return picture;
	}

}
