package io.updraft.bench;

import java.awt.Color;
import java.awt.Graphics2D;
import java.awt.image.BufferedImage;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.ToDoubleFunction;
import java.util.stream.Collectors;
import javax.imageio.ImageIO;
import org.knowm.xchart.BitmapEncoder;
import org.knowm.xchart.CategoryChart;
import org.knowm.xchart.CategoryChartBuilder;
import org.knowm.xchart.XYChart;
import org.knowm.xchart.XYChartBuilder;
import org.knowm.xchart.internal.chartpart.Chart;
import org.knowm.xchart.style.Styler;

/** Draws charts of the measured series. */
public final class SeriesCharts {

    private static final int WIDTH = 1000;
    private static final int HEIGHT = 480;

    private SeriesCharts() {}

    /**
     * Draws charts below one another into one PNG file. Needs no display.
     *
     * @param file the PNG file; overwritten if it exists
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

    /**
     * Draws lines over a whole number, from 0 on, into a PNG file. Needs no display.
     *
     * @param file the PNG file; overwritten if it exists
     * @param titles the titles of the chart, the x-axis and the y-axis
     * @param lines the points of each line, by its name; values that are not finite are left out
     */
    public static void write(Path file, List<String> titles, Map<String, ? extends Map<Integer, Double>> lines)
            throws IOException {
        XYChart chart = new XYChartBuilder()
                .width(WIDTH)
                .height(HEIGHT)
                .title(titles.get(0))
                .xAxisTitle(titles.get(1))
                .yAxisTitle(titles.get(2))
                .build();
        style(chart.getStyler());
        chart.getStyler().setLegendPosition(Styler.LegendPosition.OutsideE);
        chart.getStyler().setYAxisMin(0.0);
        lines.forEach((name, points) -> {
            List<Integer> measured = points.keySet().stream()
                    .filter(x -> Double.isFinite(points.get(x)))
                    .sorted()
                    .toList();
            if (!measured.isEmpty()) {
                chart.addSeries(
                        name, measured, measured.stream().map(points::get).toList());
            }
        });
        write(file, List.of(chart));
    }

    /** {@return charts of the suite: ratios with their targets if Storm was measured, messages per second, and the sweep} */
    static List<Chart<?, ?>> of(PromiseSuite.Results results) {
        List<Chart<?, ?>> charts = new ArrayList<>();
        List<Verdict> ratios = results.verdicts().stream()
                .filter(verdict -> verdict.outcome() != Verdict.Outcome.NOT_COMPARED)
                .filter(verdict -> List.of(1, 3, 7, 8).contains(verdict.number()))
                .filter(verdict -> Double.isFinite(verdict.value()))
                .toList();
        if (!ratios.isEmpty()) {
            charts.add(ratios(ratios));
        }
        charts.addAll(ofSeries(results.series().stream()
                .filter(series -> !results.sweep().contains(series))
                .toList()));
        charts.addAll(ofSweep(results.sweep()));
        return charts;
    }

    /** {@return charts over the message size or per shape, depending on the request} */
    static List<Chart<?, ?>> of(BenchRequest request, List<Series> series) {
        return request.sweep() ? ofSweep(series) : ofSeries(series);
    }

    /** {@return messages per second of each shape, on a logarithmic scale} */
    static List<Chart<?, ?>> ofSeries(List<Series> series) {
        CategoryChart chart = bars("Messages per second", "thousand messages/s");
        chart.getStyler().setYAxisLogarithmic(true);
        chart.getStyler().setLegendPosition(Styler.LegendPosition.OutsideE);
        List<String> titles = series.stream().map(Series::title).distinct().toList();
        double least = series.stream()
                .mapToDouble(SeriesCharts::thousands)
                .filter(rate -> rate > 0)
                .min()
                .orElse(1);
        chart.getStyler().setYAxisMin(Math.pow(10, Math.floor(Math.log10(least) - 0.5)));
        byRuntime(series)
                .forEach((runtime, ofOne) -> chart.addSeries(
                        runtime,
                        titles,
                        ofOne.stream().map(SeriesCharts::thousands).toList()));
        return List.of(chart);
    }

    /** {@return messages/s and MB/s over the message size, both scales logarithmic} */
    static List<Chart<?, ?>> ofSweep(List<Series> series) {
        return List.of(
                bySize("Messages per second by message size", "messages/s", series, SeriesCharts::rate),
                bySize("Megabytes per second by message size", "MB/s", series, Series::megabytesPerSecond));
    }

    private static CategoryChart ratios(List<Verdict> verdicts) {
        CategoryChart chart = bars("Updraft's messages per second, in multiples of Storm's best", "times Storm's best");
        List<String> names = verdicts.stream().map(Verdict::claim).toList();
        chart.addSeries("measured", names, verdicts.stream().map(Verdict::value).toList());
        chart.addSeries("target", names, verdicts.stream().map(Verdict::goal).toList());
        return chart;
    }

    private static CategoryChart bars(String title, String yTitle) {
        CategoryChart chart = new CategoryChartBuilder()
                .width(WIDTH)
                .height(HEIGHT)
                .title(title)
                .yAxisTitle(yTitle)
                .build();
        chart.getStyler().setLabelsVisible(true);
        chart.getStyler().setXAxisLabelRotation(12);
        chart.getStyler().setAvailableSpaceFill(0.8);
        style(chart.getStyler());
        return chart;
    }

    private static XYChart bySize(String title, String yTitle, List<Series> series, ToDoubleFunction<Series> value) {
        XYChart chart = new XYChartBuilder()
                .width(WIDTH)
                .height(HEIGHT)
                .title(title)
                .xAxisTitle("message size, bytes")
                .yAxisTitle(yTitle)
                .build();
        chart.getStyler().setXAxisLogarithmic(true);
        chart.getStyler().setYAxisLogarithmic(true);
        style(chart.getStyler());
        chart.getStyler().setLegendPosition(Styler.LegendPosition.OutsideE);
        byRuntime(series)
                .forEach((runtime, line) -> chart.addSeries(
                        runtime,
                        line.stream()
                                .mapToDouble(one -> one.shape().messageSize())
                                .toArray(),
                        line.stream()
                                .mapToDouble(value)
                                .map(SeriesCharts::drawable)
                                .toArray()));
        decades(chart, series.stream().mapToDouble(value).toArray());
        return chart;
    }

    /** Extends the y-axis to whole decades; otherwise a logarithmic axis may have no labels. */
    private static void decades(XYChart chart, double[] values) {
        double least = Arrays.stream(values).map(SeriesCharts::drawable).min().orElse(1);
        double most = Arrays.stream(values).map(SeriesCharts::drawable).max().orElse(10);
        chart.getStyler().setYAxisMin(Math.pow(10, Math.floor(Math.log10(least))));
        chart.getStyler().setYAxisMax(Math.pow(10, Math.floor(Math.log10(most)) + 1));
    }

    private static void style(Styler styler) {
        styler.setChartBackgroundColor(Color.WHITE);
        styler.setDecimalPattern("#,##0.####");
        styler.setLegendPosition(Styler.LegendPosition.InsideNE);
    }

    private static double thousands(Series series) {
        return rate(series) / 1e3;
    }

    private static double rate(Series series) {
        return drawable(series.messagesPerSecond().median());
    }

    /** {@return the value, or 0.001 if it is smaller or not finite, because the axis is logarithmic} */
    private static double drawable(double value) {
        return Double.isFinite(value) ? Math.max(value, 1e-3) : 1e-3;
    }

    private static Map<String, List<Series>> byRuntime(List<Series> series) {
        return series.stream().collect(Collectors.groupingBy(Series::runtime, LinkedHashMap::new, Collectors.toList()));
    }
}
