package io.github.steadyjobs.samples.quickstart;

import java.awt.Color;
import java.awt.Graphics2D;
import java.awt.RenderingHints;
import java.awt.image.BufferedImage;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import javax.imageio.ImageIO;

/**
 * Paints thumbnails side by side. The more thumbnails there are, the smaller they are
 * painted, so that ten thousand photos need no more memory than a hundred.
 */
final class ContactSheetPainter {

	private static final int WIDTH = 1600;

	private static final int MAX_CELL = 160;

	private ContactSheetPainter() {
	}

	static BufferedImage paint(List<Path> thumbnails) throws IOException {
		int columns = Math.max(4, (int) Math.ceil(Math.sqrt(thumbnails.size())));
		int rows = (thumbnails.size() + columns - 1) / columns;
		int cell = Math.max(1, Math.min(MAX_CELL, WIDTH / columns));
		BufferedImage sheet = new BufferedImage(columns * cell, rows * cell, BufferedImage.TYPE_INT_RGB);
		Graphics2D graphics = sheet.createGraphics();
		graphics.setRenderingHint(RenderingHints.KEY_INTERPOLATION, RenderingHints.VALUE_INTERPOLATION_BILINEAR);
		graphics.setColor(Color.WHITE);
		graphics.fillRect(0, 0, sheet.getWidth(), sheet.getHeight());
		for (int i = 0; i < thumbnails.size(); i++) {
			// A photo may have been deleted since the list was made.
			if (Files.exists(thumbnails.get(i))) {
				BufferedImage thumbnail = ImageIO.read(thumbnails.get(i).toFile());
				paint(graphics, thumbnail, (i % columns) * cell, (i / columns) * cell, cell);
			}
		}
		graphics.dispose();
		return sheet;
	}

	/**
	 * Paint a thumbnail in the middle of its cell, with a margin.
	 */
	private static void paint(Graphics2D graphics, BufferedImage thumbnail, int x, int y, int cell) {
		double scale = 0.92 * cell / Math.max(thumbnail.getWidth(), thumbnail.getHeight());
		int width = Math.max(1, (int) (thumbnail.getWidth() * scale));
		int height = Math.max(1, (int) (thumbnail.getHeight() * scale));
		graphics.drawImage(thumbnail, x + (cell - width) / 2, y + (cell - height) / 2, width, height, null);
	}

}
