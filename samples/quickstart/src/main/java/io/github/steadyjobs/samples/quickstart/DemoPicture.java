package io.github.steadyjobs.samples.quickstart;

import java.awt.Color;
import java.awt.GradientPaint;
import java.awt.Graphics2D;
import java.awt.RenderingHints;
import java.awt.image.BufferedImage;
import java.util.Random;

/**
 * Paints pictures for users who have no photos at hand. Each picture shows a number and a
 * colourful sky over hills. The same number always gives the same picture.
 */
final class DemoPicture {

	// Each digit has five rows of three columns. Digits are painted in this way because
	// not all servers have fonts.
	private static final String[] DIGITS = { "####.##.##.####", ".#.##..#..#.###", "##...#.#.#..###", "##...#.#...###.",
			"#.##.####..#..#", "####..##...###.", ".###..####.####", "###..#.#..#..#.", "####.#####.####",
			"####.####..###." };

	private DemoPicture() {
	}

	static BufferedImage paint(int number) {
		Random random = new Random(number);
		int width = 800 + random.nextInt(8) * 100;
		int height = 700 + random.nextInt(4) * 100;
		BufferedImage picture = new BufferedImage(width, height, BufferedImage.TYPE_3BYTE_BGR);
		Graphics2D graphics = picture.createGraphics();
		graphics.setRenderingHint(RenderingHints.KEY_ANTIALIASING, RenderingHints.VALUE_ANTIALIAS_ON);
		paintSky(graphics, random, width, height);
		paintHills(graphics, random, width, height);
		paintNumber(graphics, number, width, height);
		graphics.dispose();
		return picture;
	}

	private static void paintSky(Graphics2D graphics, Random random, int width, int height) {
		float hue = random.nextFloat();
		graphics.setPaint(new GradientPaint(0, 0, Color.getHSBColor(hue, 0.75f, 0.75f), 0, height * 0.8f,
				Color.getHSBColor(hue + 0.12f, 0.35f, 1)));
		graphics.fillRect(0, 0, width, height);
		int sun = height / 5 + random.nextInt(height / 8);
		graphics.setColor(new Color(255, 255, 255, 200));
		graphics.fillOval(random.nextInt(width - sun), height / 8 + random.nextInt(height / 4), sun, sun);
	}

	private static void paintHills(Graphics2D graphics, Random random, int width, int height) {
		float hue = random.nextFloat();
		for (int hill = 0; hill < 4; hill++) {
			graphics.setColor(Color.getHSBColor(hue + hill * 0.03f, 0.45f, 0.65f - hill * 0.13f));
			int top = height * (55 + hill * 11) / 100;
			int across = width + random.nextInt(width);
			graphics.fillOval(random.nextInt(width) - across / 2, top, across, height);
		}
	}

	private static void paintNumber(Graphics2D graphics, int number, int width, int height) {
		String text = Integer.toString(number);
		int dot = height / 40;
		graphics.setColor(new Color(255, 255, 255, 230));
		int left = (width - dot * (text.length() * 4 - 1)) / 2;
		for (int i = 0; i < text.length(); i++) {
			String digit = DIGITS[text.charAt(i) - '0'];
			for (int d = 0; d < digit.length(); d++) {
				if (digit.charAt(d) == '#') {
					graphics.fillRect(left + dot * (i * 4 + d % 3), height - dot * (7 - d / 3), dot, dot);
				}
			}
		}
	}

}
