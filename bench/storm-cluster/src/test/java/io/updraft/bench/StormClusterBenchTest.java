package io.updraft.bench;

import static org.assertj.core.api.Assertions.assertThat;

import io.updraft.base.json.Json;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** The whole bench between workers, beside Storm's: as short as it can be. */
@Tag("long")
final class StormClusterBenchTest {

    private static final String OPTIONS = "--workers 2 --vs storm --no-tune --spout 1 --bolt 1 -l 1 --ack --ackers 2 "
            + "--maxSpoutPending 1000 --testTime 1 --warmup 0 --format json -c";

    /** Workers live for seconds. */
    private static final String QUICK_START =
            "topology.worker.childopts=-Xmx256m -XX:+UseSerialGC -XX:TieredStopAtLevel=1";

    @Test
    void shouldMeasureTheSameTopologyBetweenUpdraftsWorkersAndBetweenStorms() {
        List<Map<String, Object>> series = bench("--runs 2");
        assertThat(series).extracting(one -> one.get("runtime")).containsExactly("Updraft", "Storm");
        Map<String, Object> storm = series.get(1);
        assertThat(storm).containsEntry("valid", true);
        // Two runs, one after the other on one cluster.
        assertThat(list(storm.get("runs"))).hasSize(2).allSatisfy(StormClusterBenchTest::assertThatAllArrived);
    }

    /** A run in workers of the other kind would be invalid. */
    @Test
    void shouldMeasureBothKindsOfWorkersOfOneStormCluster() {
        List<Map<String, Object>> series = bench("--on storm-cluster --runs 1");
        assertThat(series)
                .extracting(one -> one.get("runtime"))
                .containsExactly("Updraft", "Updraft on a Storm cluster", "Storm");
        assertThat(series).allSatisfy(one -> {
            assertThat(one).containsEntry("valid", true);
            assertThat((Double) one.get("medianStartSeconds")).isPositive();
            assertThat(list(one.get("runs"))).hasSize(1).allSatisfy(StormClusterBenchTest::assertThatAllArrived);
        });
    }

    private static List<Map<String, Object>> bench(String options) {
        StringWriter out = new StringWriter();
        int status = BenchCommand.commandLine()
                .setOut(new PrintWriter(out))
                .execute(Stream.concat(Stream.of((options + " " + OPTIONS).split(" ")), Stream.of(QUICK_START))
                        .toArray(String[]::new));
        assertThat(status).as(out.toString()).isZero();
        return list(Json.readObject(out.toString()).get("series"));
    }

    private static void assertThatAllArrived(Map<String, Object> run) {
        assertThat(number(run, "total", "acked")).isPositive().isEqualTo(number(run, "total", "emitted"));
        assertThat(number(run, "total", "crossed")).isEqualTo(number(run, "total", "transferred"));
        assertThat(number(run, "usage", "cpuNanos")).isPositive();
        assertThat(number(run, "usage", "contextSwitches")).isPositive();
    }

    @SuppressWarnings("unchecked")
    private static long number(Map<String, Object> run, String part, String name) {
        return ((Number) ((Map<String, Object>) run.get(part)).get(name)).longValue();
    }

    @SuppressWarnings("unchecked")
    private static List<Map<String, Object>> list(Object value) {
        return (List<Map<String, Object>>) value;
    }
}
