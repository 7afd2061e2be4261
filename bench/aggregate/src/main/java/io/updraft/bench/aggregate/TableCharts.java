package io.updraft.bench.aggregate;

import io.updraft.bench.aggregate.TableExperiment.Series;
import io.updraft.bench.report.PngChart;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.ToDoubleFunction;
import org.knowm.xchart.XYChart;
import org.knowm.xchart.XYChartBuilder;
import org.knowm.xchart.XYSeries;
import org.knowm.xchart.internal.chartpart.Chart;
import org.knowm.xchart.style.Styler;

/** Draws charts over the number of keys and over the number of fields. */
final class TableCharts {

    private static final int WIDTH = 1000;
    private static final int HEIGHT = 480;

    private TableCharts() {}

    static void write(Path file, List<Series> byKeys, List<Series> byFields) throws IOException {
        List<Chart<?, ?>> charts = new ArrayList<>();
        add(charts, "number of keys", "keys", byKeys, TableCharts::keys);
        add(charts, "number of fields", "dimensions + measures", byFields, TableCharts::fields);
        if (!charts.isEmpty()) {
            PngChart.write(file, charts);
        }
    }

    private static void add(
            List<Chart<?, ?>> charts, String by, String x, List<Series> all, ToDoubleFunction<Series> xOf) {
        add(charts, "Records per second by " + by, x, "records/s", all, xOf, Series::recordsPerSecond);
        add(charts, "Bytes per key by " + by, x, "bytes", all, xOf, Series::bytesPerGroup);
    }

    private static double keys(Series series) {
        return series.shape().keys();
    }

    private static double fields(Series series) {
        return series.shape().dimensions() + series.shape().measures();
    }

    private static void add(
            List<Chart<?, ?>> charts,
            String title,
            String x,
            String y,
            List<Series> all,
            ToDoubleFunction<Series> xOf,
            ToDoubleFunction<Series> yOf) {
        Map<String, List<Series>> byRuntime = new LinkedHashMap<>();
        all.stream()
                .filter(series -> yOf.applyAsDouble(series) > 0)
                .forEach(series -> byRuntime
                        .computeIfAbsent(series.name(), name -> new ArrayList<>())
                        .add(series));
        if (byRuntime.values().stream().noneMatch(series -> series.size() > 1)) {
            return;
        }
        XYChart chart = new XYChartBuilder()
                .width(WIDTH)
                .height(HEIGHT)
                .title(title)
                .xAxisTitle(x)
                .yAxisTitle(y)
                .build();
        chart.getStyler().setXAxisLogarithmic(true).setYAxisLogarithmic(true);
        chart.getStyler().setLegendPosition(Styler.LegendPosition.InsideSW);
        chart.getStyler().setDefaultSeriesRenderStyle(XYSeries.XYSeriesRenderStyle.Line);
        byRuntime.forEach((name, series) -> chart.addSeries(
                name,
                series.stream().map(xOf::applyAsDouble).toList(),
                series.stream().map(yOf::applyAsDouble).toList()));
        charts.add(chart);
    }
}
