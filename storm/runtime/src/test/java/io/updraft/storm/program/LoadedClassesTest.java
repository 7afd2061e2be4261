package io.updraft.storm.program;

import static org.assertj.core.api.Assertions.assertThat;

import io.updraft.base.testing.Await;
import io.updraft.base.testing.CompiledJar;
import io.updraft.storm.RunningComponents;
import io.updraft.storm.UpdraftCluster;
import java.net.URL;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.apache.storm.Config;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Classes that Storm creates by name, from a program's own jar, which Storm does not see. */
class LoadedClassesTest {

    private static final String TOLD = "updraft.test.told.";

    private static final String SOURCE = """
            package com.acme;

            import com.codahale.metrics.MetricRegistry;
            import java.util.*;
            import org.apache.storm.metric.IEventLogger;
            import org.apache.storm.metric.api.IMetricsConsumer;
            import org.apache.storm.metrics2.reporters.StormReporter;
            import org.apache.storm.task.*;

            public class Telling {
                static void tell(String what, Object value) {
                    System.setProperty("updraft.test.told." + what, String.valueOf(value));
                }

                public static class Consumer implements IMetricsConsumer {
                    public void prepare(Map<String, Object> conf, Object argument, TopologyContext context, IErrorReporter e) {
                        tell("consumer", argument);
                    }
                    public void handleDataPoints(TaskInfo task, Collection<DataPoint> points) {}
                    public void cleanup() {}
                }

                public static class Logger implements IEventLogger {
                    public void prepare(Map<String, Object> conf, Map<String, Object> arguments, TopologyContext context) {
                        tell("logger", arguments.get("to"));
                    }
                    public void log(EventInfo e) {}
                    public void close() {}
                }

                public static class Reporter implements StormReporter {
                    public void prepare(MetricRegistry registry, Map<String, Object> conf, Map<String, Object> own) {
                        tell("reporter", own.get("color"));
                    }
                    public void start() {}
                    public void stop() {}
                    public void close() {}
                }
            }
            """;

    @Test
    void shouldMakeConsumersLoggersAndReportersOfAProgramsJar(@TempDir Path folder) throws Exception {
        URL jar = CompiledJar.of(folder, "telling", "com.acme.Telling", SOURCE)
                .toUri()
                .toURL();
        Thread thread = Thread.currentThread();
        ClassLoader before = thread.getContextClassLoader();
        RunningComponents.reset(() -> {});
        try (JarClassLoader loader = new JarClassLoader(new URL[] {jar}, before);
                UpdraftCluster cluster = new UpdraftCluster()) {
            thread.setContextClassLoader(loader);
            cluster.submitTopology("telling", conf(), RunningComponents.numbers());
            Await.until("all have told", () -> told("consumer") && told("logger") && told("reporter"));

            assertThat(System.getProperty(TOLD + "consumer")).isEqualTo("an argument");
            assertThat(System.getProperty(TOLD + "logger")).isEqualTo("memory");
            assertThat(System.getProperty(TOLD + "reporter")).isEqualTo("blue");
            assertThat(cluster.engine("telling").plan().components())
                    .extracting(component -> component.id())
                    .contains("__metrics_com.acme.Telling$Consumer", "__eventlogger");
        } finally {
            thread.setContextClassLoader(before);
            List.of("consumer", "logger", "reporter").forEach(what -> System.clearProperty(TOLD + what));
        }
    }

    private static boolean told(String what) {
        return System.getProperty(TOLD + what) != null;
    }

    private static Map<String, Object> conf() {
        return Map.of(
                Config.TOPOLOGY_METRICS_CONSUMER_REGISTER,
                List.of(Map.of("class", "com.acme.Telling$Consumer", "parallelism.hint", 1, "argument", "an argument")),
                Config.TOPOLOGY_EVENTLOGGER_EXECUTORS,
                1,
                Config.TOPOLOGY_EVENT_LOGGER_REGISTER,
                List.of(Map.of("class", "com.acme.Telling$Logger", "arguments", Map.of("to", "memory"))),
                Config.TOPOLOGY_METRICS_REPORTERS,
                List.of(Map.of("class", "com.acme.Telling$Reporter", "color", "blue")));
    }
}
