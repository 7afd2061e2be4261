package io.updraft.cluster.local;

import static org.assertj.core.api.Assertions.assertThat;

import io.updraft.base.testing.Await;
import io.updraft.storm.UpdraftCluster;
import io.updraft.storm.UpdraftDrpc;
import io.updraft.storm.drpc.DrpcPorts;
import io.updraft.storm.program.ProgramFiles;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import org.apache.storm.Config;
import org.apache.storm.generated.StormTopology;
import org.apache.storm.topology.FailedException;
import org.apache.storm.trident.TridentState;
import org.apache.storm.trident.TridentTopology;
import org.apache.storm.trident.operation.BaseFilter;
import org.apache.storm.trident.operation.builtin.Count;
import org.apache.storm.trident.operation.builtin.MapGet;
import org.apache.storm.trident.testing.FixedBatchSpout;
import org.apache.storm.trident.testing.MemoryMapState;
import org.apache.storm.trident.tuple.TridentTuple;
import org.apache.storm.tuple.Fields;
import org.apache.storm.tuple.Values;
import org.apache.storm.utils.DRPCClient;
import org.apache.storm.utils.Utils;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Trident in two worker processes, with queries by a DRPC client over ports. */
@Tag("slow")
@SuppressWarnings("serial")
class TridentWorkersTest {
    private static final List<String> WORDS = List.of("a", "b", "c", "d", "e");
    private static final int ROUNDS = 20;

    @TempDir
    Path directory;

    @Test
    void shouldCountEachWordExactlyOnceAlthoughBatchesFailInBothWorkers() throws Exception {
        int callers = freePort();
        int answerers = freePort();
        Map<String, Object> conf = new HashMap<>(Utils.readStormConfig());
        // The first request waits until all components are open.
        conf.put("drpc.request.timeout.secs", 240);
        try (UpdraftDrpc drpc = new UpdraftDrpc(conf);
                DrpcPorts ports = DrpcPorts.open(drpc, conf, local(callers), local(answerers), null);
                UpdraftCluster cluster = cluster(DrpcPorts.settings("localhost", callers, answerers));
                DRPCClient client = new DRPCClient(conf, "localhost", callers)) {
            assertThat(ports).isNotNull();
            cluster.submitTopology("exact", Map.of(Config.TOPOLOGY_WORKERS, 2), topology());
            Await.until(
                    "the end is counted", () -> client.execute("exact", "end").equals("[[1]]"));
            for (String word : WORDS) {
                assertThat(client.execute("exact", word)).as(word).isEqualTo("[[" + ROUNDS + "]]");
            }
            assertThat(drpc.pending()).isZero();
        }
        assertThat(new TreeSet<>(lines("before"))).as("processes").hasSize(2);
        assertThat(lines("after")).isNotEmpty();
    }

    private StormTopology topology() {
        TridentTopology topology = new TridentTopology();
        TridentState counts = topology.newStream("exact", words())
                .shuffle()
                .each(new Fields("word"), new FailSometimes(directory, "before", 13))
                .parallelismHint(2)
                .groupBy(new Fields("word"))
                .persistentAggregate(new MemoryMapState.Factory(), new Count(), new Fields("count"))
                .parallelismHint(2);
        // What fails here fails the batch when the counts have been changed already.
        counts.newValuesStream().each(new Fields("word"), new FailSometimes(directory, "after", 11));
        topology.newDRPCStream("exact")
                .groupBy(new Fields("args"))
                .stateQuery(counts, new Fields("args"), new MapGet(), new Fields("count"))
                .project(new Fields("count"));
        return topology.build();
    }

    private static FixedBatchSpout words() {
        List<List<Object>> batches = new ArrayList<>();
        for (int round = 0; round < ROUNDS; round++) {
            WORDS.forEach(word -> batches.add(new Values(word)));
        }
        batches.add(new Values("end"));
        @SuppressWarnings("unchecked")
        List<Object>[] all = batches.toArray(List[]::new);
        return new FixedBatchSpout(new Fields("word"), 10, all);
    }

    private UpdraftCluster cluster(Map<String, Object> drpcSettings) {
        return new UpdraftCluster.Builder()
                .withDaemonConf(drpcSettings)
                .withEngines(LocalWorkers.starter(
                        new WorkerSettings(ProgramFiles.NONE, TestWorkers.jvm(), directory, new RecordedLines())))
                .withDrainLimit(Duration.ZERO)
                .build();
    }

    private static InetSocketAddress local(int port) {
        return new InetSocketAddress(InetAddress.getLoopbackAddress(), port);
    }

    private static int freePort() throws IOException {
        try (ServerSocket socket = new ServerSocket(0)) {
            return socket.getLocalPort();
        }
    }

    private List<String> lines(String file) throws IOException {
        return Files.readAllLines(directory.resolve(file));
    }

    /** Fails the batch of each so many words, and writes down in which process. */
    static final class FailSometimes extends BaseFilter {
        private final String file;
        private final int every;
        private int seen;

        FailSometimes(Path directory, String name, int every) {
            this.file = directory.resolve(name).toString();
            this.every = every;
        }

        @Override
        public boolean isKeep(TridentTuple tuple) {
            seen++;
            if (seen % every == 0) {
                try {
                    Files.writeString(
                            Path.of(file),
                            ProcessHandle.current().pid() + "\n",
                            StandardOpenOption.CREATE,
                            StandardOpenOption.APPEND);
                } catch (IOException e) {
                    throw new UncheckedIOException(e);
                }
                throw new FailedException("as the test wants it");
            }
            return true;
        }
    }
}
