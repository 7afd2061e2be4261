package io.updraft.bench;

import static org.assertj.core.api.Assertions.assertThat;

import io.updraft.bench.option.BenchRequest;
import io.updraft.bench.option.BenchSide;
import io.updraft.bench.option.SeriesVariant;
import io.updraft.bench.option.WorkersPlan;
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
class WorkersReaderTest {

    @Test
    void shouldTakeYahoosExperimentAsItWasAskedFor() {
        BenchRequest request = read("--workers 3 --spout 3 --bolt 3 -l 1 --ackers 3 --ack --maxSpoutPending 1000 "
                + "--messageSize 10..10000 --transport all --plot");

        assertThat(request.workers()).isEqualTo(new WorkersPlan(3, List.of("netty"), true, List.of(0), false));
        assertThat(request.shape()).isEqualTo(new Shape("sol", 3, 3, 1, 10, true, 0));
        assertThat(request.sizes()).startsWith(10, 40).endsWith(10_000);
        assertThat(request.ackers()).isEqualTo(3);
        assertThat(request.maxSpoutPending()).isEqualTo(1000);
        assertThat(request.plot()).isEqualTo(Path.of("updraft-bench.png"));
        assertThat(request.jvm().heap()).isEqualTo("1g");
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
        assertThat(read("--ack").jvm().heap()).isEqualTo("2g");
    }

    @Test
    void shouldMeasureEachBufferOnEachTransportAndOnStormOnce() {
        WorkersPlan plan = new WorkersPlan(2, List.of("netty", "aeron"), false, List.of(4096, 16384), true);

        assertThat(plan.variants(BenchSide.UPDRAFT))
                .containsExactly(
                        new SeriesVariant("netty", 4096),
                        new SeriesVariant("aeron", 4096),
                        new SeriesVariant("netty", 16384),
                        new SeriesVariant("aeron", 16384));
        assertThat(plan.variants(BenchSide.UPDRAFT_ON_STORM)).isEqualTo(plan.variants(BenchSide.UPDRAFT));
        assertThat(plan.variants(BenchSide.STORM))
                .containsExactly(new SeriesVariant("", 4096), new SeriesVariant("", 16384));
        assertThat(WorkersPlan.NONE.variants(BenchSide.UPDRAFT)).containsExactly(SeriesVariant.NONE);
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
    void shouldReadSizesOfBuffers() {
        assertThat(read("--workers 2 --transfer-buffer 4k..1m").workers().transferBuffers())
                .containsExactly(4 << 10, 16 << 10, 64 << 10, 256 << 10, 1 << 20);
        assertThat(read("--workers 2 --transfer-buffer 5000,1M").workers().transferBuffers())
                .containsExactly(5000, 1 << 20);
    }

    @Test
    void shouldTakeTheTransportThatTheConfigurationNames() {
        assertThat(read("--workers 2 -c updraft.transport.local=other")
                        .workers()
                        .transports())
                .containsExactly("other");
    }

    @Test
    void shouldSayWhatAVariantComesTo() {
        assertThat(new SeriesVariant("aeron", 4096).conf())
                .containsEntry("updraft.transport.local", "aeron")
                .containsEntry("storm.messaging.netty.transfer.batch.size", 4096)
                .hasSize(2);
        assertThat(SeriesVariant.NONE.conf()).isEmpty();
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
                "--transfer-buffer 4k | --transfer-buffer 4k: applies only between workers",
                "--workers 2 --transport pigeons | --transport pigeons: 'pigeons' is not a transport; use netty",
                "--workers 2 --transport netty, | --transport netty,: '' is not a transport; use netty",
                "--workers 2 --transfer-buffer 1g | --transfer-buffer 1g: '1g' is not a number of bytes",
                "--workers 2 --transfer-buffer 4k..8k --messageSize 1,2 | --transfer-buffer 4k..8k: a list of buffer "
                        + "sizes",
                "--workers 2 --messageSize 64m | --messageSize 67108864: with several workers a message has at most",
                "--workers 2 --messageSize 1m --maxSpoutPending 1000 | MB, more than half of its heap of 1g",
                "--on storm-cluster --ack | --on storm-cluster: applies only between workers: add --workers 2 or more",
                "--on storm-cluster --workers 1 --vs storm | --on storm-cluster: applies only between workers",
                "--on flink --workers 2 | --on flink: must be 'storm-cluster'",
                "--on storm-cluster --workers 2 --storm-lib /tmp | --storm-lib /tmp: a Storm cluster takes its jars",
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
