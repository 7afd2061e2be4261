package io.updraft.bench;

import static org.assertj.core.api.Assertions.assertThat;

import io.updraft.bench.spec.Shape;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import picocli.CommandLine;

/** Only the transport netty is on the class path of these tests. */
class WorkersRequestTest {

    @Test
    void shouldTakeYahoosExperimentAsItWasAskedFor() {
        BenchRequest request = read("--workers 3 --spout 3 --bolt 3 -l 1 --ackers 3 --ack --maxSpoutPending 1000 "
                + "--messageSize 10..10000 --transport all --plot");

        assertThat(request.workers()).isEqualTo(new WorkersPlan(3, List.of("netty"), true, false));
        assertThat(request.shape()).isEqualTo(new Shape("sol", 3, 3, 1, 10, true, 0));
        assertThat(request.sizes()).startsWith(10, 40).endsWith(10_000);
        assertThat(request.ackers()).isEqualTo(3);
        assertThat(request.maxSpoutPending()).isEqualTo(1000);
        assertThat(request.plot()).isEqualTo(Path.of("updraft-bench.png"));
        assertThat(request.heap()).isEqualTo("1g");
        assertThat(request.timing().pollMillis()).isZero();
    }

    @Test
    void shouldNotTakeTheNextOptionForThePlotsName() {
        BenchRequest request = read("--workers 2 --plot --ack");

        assertThat(request.plot()).isEqualTo(Path.of("updraft-bench.png"));
        assertThat(request.shape().acked()).isTrue();
    }

    @Test
    void shouldStayInOneProcessUnlessWorkersAreAskedFor() {
        assertThat(read("--ack").workers().several()).isFalse();
        assertThat(read("--workers 1 --ack").workers().several()).isFalse();
        assertThat(read("--workers 1").suite()).isTrue();
        assertThat(read("--ack").heap()).isEqualTo("2g");
    }

    @Test
    void shouldMeasureEachTransportAndStormOnce() {
        WorkersPlan plan = new WorkersPlan(2, List.of("netty", "aeron"), false, true);

        assertThat(plan.transports(BenchSide.UPDRAFT)).containsExactly("netty", "aeron");
        assertThat(plan.transports(BenchSide.UPDRAFT_ON_STORM)).isEqualTo(plan.transports(BenchSide.UPDRAFT));
        assertThat(plan.transports(BenchSide.STORM)).containsExactly("");
        assertThat(WorkersPlan.NONE.transports(BenchSide.UPDRAFT)).containsExactly("");
    }

    @Test
    void shouldMeasureOnAStormClusterBesideLocalWorkers() {
        WorkersPlan workers = read("--on storm-cluster --workers 2 --ack").workers();

        assertThat(workers.sides(Set.of())).containsExactly(BenchSide.UPDRAFT, BenchSide.UPDRAFT_ON_STORM);
        assertThat(workers.sides(Set.of(BenchSide.STORM)))
                .containsExactly(BenchSide.UPDRAFT, BenchSide.UPDRAFT_ON_STORM, BenchSide.STORM);
        assertThat(read("--workers 2 --ack").workers().sides(Set.of(BenchSide.STORM)))
                .containsExactly(BenchSide.UPDRAFT, BenchSide.STORM);
    }

    @Test
    void shouldTakeTheTransportThatTheConfigurationNames() {
        assertThat(read("--workers 2 -c updraft.transport.local=other")
                        .workers()
                        .transports())
                .containsExactly("other");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "--workers 0 | --workers 0: must be from 1 to 256",
                "--workers 257 | --workers 257: must be from 1 to 256",
                "--workers 3 | --workers 3: the topology has only 2 executors",
                "--workers 8 --topology wordcount | --workers 8: the topology has only 7 executors",
                "--transport netty | --transport netty: applies only between workers",
                "--workers 1 --transport netty | --transport netty: applies only between workers",
                "--workers 2 --transport pigeons | --transport pigeons: 'pigeons' is not a transport; use netty",
                "--workers 2 --transport netty, | --transport netty,: '' is not a transport; use netty",
                "--workers 2 --messageSize 64m | --messageSize 67108864: with several workers a message has at most",
                "--workers 2 --messageSize 1m --maxSpoutPending 1000 | MB, more than half of its heap of 1g",
                "--on storm-cluster --ack | --on storm-cluster: applies only between workers: add --workers 2 or more",
                "--on storm-cluster --workers 1 --vs storm | --on storm-cluster: applies only between workers",
                "--on flink --workers 2 | --on flink: must be 'storm-cluster'",
                "--suite --workers 2 | --suite : measures fixed topologies",
                "--workers many | Invalid value for option '--workers"
            })
    void shouldNameTheOptionAndTheValueInOneLine(String arguments, String complaint) {
        StringWriter err = new StringWriter();
        int status = BenchCommand.commandLine().setErr(new PrintWriter(err)).execute(arguments.split(" "));

        assertThat(status).isEqualTo(2);
        assertThat(err.toString().strip()).contains(complaint).hasLineCount(1);
    }

    private static BenchRequest read(String arguments) {
        BenchCommand command = new BenchCommand();
        new CommandLine(command).parseArgs(arguments.split(" "));
        return new RequestReader(command).read();
    }
}
