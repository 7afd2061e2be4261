package io.updraft.bench;

import java.awt.Color;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.ToDoubleFunction;
import org.knowm.xchart.CategoryChart;
import org.knowm.xchart.CategoryChartBuilder;
import org.knowm.xchart.XYChart;
import org.knowm.xchart.XYChartBuilder;
import org.knowm.xchart.XYSeries;
import org.knowm.xchart.internal.chartpart.Chart;
import org.knowm.xchart.style.Styler;
import org.knowm.xchart.style.markers.SeriesMarkers;

/** The pictures of what was measured. */
final class Charts {

    private static final int WIDTH = 1000;
    private static final int HEIGHT = 480;
    private static final Color UPDRAFT = new Color(0x1f77b4);
    private static final Color STORM = new Color(0xff7f0e);
    private static final Color TARGET = new Color(0xbbbbbb);

    private Charts() {}

    /** {@return messages per second of the suite, its ratios beside their targets when compared, and its sweep} */
    static List<Chart<?, ?>> of(Suite.Results results) {
        List<Chart<?, ?>> charts = new ArrayList<>();
        List<Verdict> ratios = results.verdicts().stream()
                .filter(verdict -> verdict.outcome() != Verdict.Outcome.NOT_COMPARED)
                .filter(verdict -> verdict.number() == 1 || verdict.number() == 3)
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

    /** {@return messages per second of each shape, on a logarithmic scale} */
    static List<Chart<?, ?>> ofSeries(List<Series> series) {
        CategoryChart chart = bars("Messages per second", "thousand messages/s");
        chart.getStyler().setYAxisLogarithmic(true);
        List<String> titles = series.stream().map(Series::title).distinct().toList();
        double least = series.stream()
                .mapToDouble(Charts::thousands)
                .filter(rate -> rate > 0)
                .min()
                .orElse(1);
        chart.getStyler().setYAxisMin(Math.pow(10, Math.floor(Math.log10(least) - 0.5)));
        for (Side side : Side.values()) {
            List<Series> ofSide =
                    series.stream().filter(one -> one.side() == side).toList();
            if (!ofSide.isEmpty()) {
                chart.addSeries(
                                side.title(),
                                titles,
                                ofSide.stream().map(Charts::thousands).toList())
                        .setFillColor(color(side));
            }
        }
        return List.of(chart);
    }

    /** {@return messages/s and MB/s over the message size, both scales logarithmic} */
    static List<Chart<?, ?>> ofSweep(List<Series> series) {
        return List.of(
                lines("Messages per second by message size", "messages/s", series, Charts::rate),
                lines("Megabytes per second by message size", "MB/s", series, Series::megabytesPerSecond));
    }

    private static CategoryChart ratios(List<Verdict> verdicts) {
        CategoryChart chart = bars("Updraft's messages per second, in multiples of Storm's best", "times Storm's best");
        List<String> names = verdicts.stream().map(Verdict::what).toList();
        chart.addSeries("measured", names, verdicts.stream().map(Verdict::value).toList())
                .setFillColor(UPDRAFT);
        chart.addSeries("target", names, verdicts.stream().map(Verdict::goal).toList())
                .setFillColor(TARGET);
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

    private static XYChart lines(String title, String yTitle, List<Series> series, ToDoubleFunction<Series> value) {
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
        for (Side side : Side.values()) {
            List<Series> ofSide =
                    series.stream().filter(one -> one.side() == side).toList();
            if (!ofSide.isEmpty()) {
                line(chart, side, ofSide, value);
            }
        }
        decades(chart, series.stream().mapToDouble(value).toArray());
        return chart;
    }

    private static void line(XYChart chart, Side side, List<Series> ofSide, ToDoubleFunction<Series> value) {
        double[] sizes = ofSide.stream()
                .mapToDouble(series -> series.shape().messageSize())
                .toArray();
        double[] values =
                ofSide.stream().mapToDouble(value).map(Charts::drawable).toArray();
        XYSeries line = chart.addSeries(side.title(), sizes, values);
        line.setMarker(SeriesMarkers.CIRCLE);
        line.setMarkerColor(color(side));
        line.setLineColor(color(side));
    }

    /** A logarithmic axis needs whole decades to have anything written at it. */
    private static void decades(XYChart chart, double[] values) {
        double least = Arrays.stream(values).map(Charts::drawable).min().orElse(1);
        double most = Arrays.stream(values).map(Charts::drawable).max().orElse(10);
        chart.getStyler().setYAxisMin(Math.pow(10, Math.floor(Math.log10(least))));
        chart.getStyler().setYAxisMax(Math.pow(10, Math.floor(Math.log10(most)) + 1));
    }

    private static void style(Styler styler) {
        styler.setChartBackgroundColor(Color.WHITE);
        styler.setDecimalPattern("#,##0.#");
        styler.setLegendPosition(Styler.LegendPosition.InsideNE);
    }

    private static double thousands(Series series) {
        return rate(series) / 1e3;
    }

    private static double rate(Series series) {
        return drawable(series.messagesPerSecond().median());
    }

    /** {@return the value, or the least that a logarithm can be taken of} */
    private static double drawable(double value) {
        return Math.max(value, 1e-3);
    }

    private static Color color(Side side) {
        return side == Side.UPDRAFT ? UPDRAFT : STORM;
    }
}
