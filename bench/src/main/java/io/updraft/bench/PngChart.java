package io.updraft.bench;

import java.awt.Graphics2D;
import java.awt.image.BufferedImage;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import javax.imageio.ImageIO;
import org.knowm.xchart.BitmapEncoder;
import org.knowm.xchart.internal.chartpart.Chart;

/** Draws charts below one another into one PNG file. Needs no display. */
final class PngChart {

    private PngChart() {}

    /**
     * Draws the charts.
     *
     * @param file the PNG file; overwritten if it exists
     * @param charts the charts, from top to bottom
     */
    static void write(Path file, List<? extends Chart<?, ?>> charts) throws IOException {
        System.setProperty("java.awt.headless", "true");
        List<BufferedImage> images =
                charts.stream().map(BitmapEncoder::getBufferedImage).toList();
        int width = images.stream().mapToInt(BufferedImage::getWidth).max().orElseThrow();
        int height = images.stream().mapToInt(BufferedImage::getHeight).sum();
        BufferedImage all = new BufferedImage(width, height, BufferedImage.TYPE_INT_RGB);
        Graphics2D graphics = all.createGraphics();
        int y = 0;
        for (BufferedImage image : images) {
            graphics.drawImage(image, 0, y, null);
            y += image.getHeight();
        }
        graphics.dispose();
        ImageIO.write(all, "png", file.toFile());
    }
}
