package io.updraft.storm.instrument.plugin;

import com.codahale.metrics.MetricRegistry;
import java.io.IOException;
import java.util.Map;
import org.apache.storm.Config;
import org.apache.storm.metrics2.MetricRegistryProvider;
import org.apache.storm.metrics2.reporters.StormReporter;

/** Creates a reporter from a program's own jar and forwards to it. Storm gets the name of this class instead. */
public final class ProgramMetricsReporter implements StormReporter {
    private StormReporter reporter;

    /** Creates an instance without a reporter. */
    public ProgramMetricsReporter() {}

    @Override
    @SuppressWarnings("deprecation") // the interface demands it
    public void prepare(MetricRegistry registry, Map<String, Object> topoConf, Map<String, Object> reporterConf) {
        make(reporterConf).prepare(registry, topoConf, reporterConf);
    }

    @Override
    public void prepare(
            MetricRegistryProvider provider, Map<String, Object> topoConf, Map<String, Object> reporterConf) {
        make(reporterConf).prepare(provider, topoConf, reporterConf);
    }

    private StormReporter make(Map<String, Object> reporterConf) {
        reporter = ProgramPlugin.make(
                Config.TOPOLOGY_METRICS_REPORTERS, reporterConf.get(ProgramPlugin.CLASS), StormReporter.class);
        return reporter;
    }

    @Override
    public void start() {
        reporter.start();
    }

    @Override
    public void stop() {
        reporter.stop();
    }

    @Override
    public void close() throws IOException {
        reporter.close();
    }
}
