package io.updraft.storm.instrument.metric;

import com.codahale.metrics.Gauge;
import com.codahale.metrics.Metered;
import com.codahale.metrics.Snapshot;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.apache.storm.metric.api.IMetricsConsumer.DataPoint;
import org.apache.storm.metrics2.PerReporterGauge;
import org.apache.storm.metrics2.StormMetricRegistry;

/**
 * Converts the metrics that the registry holds of one task to data points for consumers of the older metrics ({@code
 * topology.enable.v2.metrics.tick}), under Storm's names. Times are in milliseconds.
 *
 * @param registry the registry of metrics
 * @param taskId the task
 * @param reporter the identity under which gauges are read that keep a value for each reporter
 */
record RegistryDataPoints(StormMetricRegistry registry, int taskId, Object reporter) {

    private static final double MS_PER_NANO = 1.0 / TimeUnit.MILLISECONDS.toNanos(1);

    void addTo(List<DataPoint> points) {
        registry.getTaskGauges(taskId).forEach((name, gauge) -> addGauge(points, name, gauge));
        registry.getTaskCounters(taskId).forEach((name, counter) -> points.add(point(name, counter.getCount())));
        registry.getTaskHistograms(taskId).forEach((name, histogram) -> {
            addSnapshot(points, name, histogram.getSnapshot());
            points.add(point(name + ".count", histogram.getCount()));
        });
        registry.getTaskMeters(taskId).forEach((name, meter) -> addMetered(points, name, meter));
        registry.getTaskTimers(taskId).forEach((name, timer) -> {
            addSnapshot(points, name, timer.getSnapshot());
            addMetered(points, name, timer);
        });
    }

    private void addGauge(List<DataPoint> points, String name, Gauge<?> gauge) {
        Object value =
                gauge instanceof PerReporterGauge<?> each ? each.getValueForReporter(reporter) : gauge.getValue();
        if (value instanceof Number) {
            points.add(point(name, value));
        }
    }

    private static void addMetered(List<DataPoint> points, String name, Metered metered) {
        points.add(point(name + ".count", metered.getCount()));
        points.add(point(name + ".m1_rate", metered.getOneMinuteRate()));
        points.add(point(name + ".m5_rate", metered.getFiveMinuteRate()));
        points.add(point(name + ".m15_rate", metered.getFifteenMinuteRate()));
        points.add(point(name + ".mean_rate", metered.getMeanRate()));
    }

    private static void addSnapshot(List<DataPoint> points, String name, Snapshot snapshot) {
        addMillis(points, name + ".max", snapshot.getMax());
        addMillis(points, name + ".mean", snapshot.getMean());
        addMillis(points, name + ".min", snapshot.getMin());
        addMillis(points, name + ".stddev", snapshot.getStdDev());
        addMillis(points, name + ".p50", snapshot.getMedian());
        addMillis(points, name + ".p75", snapshot.get75thPercentile());
        addMillis(points, name + ".p95", snapshot.get95thPercentile());
        addMillis(points, name + ".p98", snapshot.get98thPercentile());
        addMillis(points, name + ".p99", snapshot.get99thPercentile());
        addMillis(points, name + ".p999", snapshot.get999thPercentile());
    }

    private static DataPoint point(String name, Object value) {
        return TopologyMetrics.point(name, value, Map.of());
    }

    private static void addMillis(List<DataPoint> points, String name, double nanos) {
        points.add(point(name, nanos * MS_PER_NANO));
    }
}
