package io.updraft.cluster.local;

import static org.assertj.core.api.Assertions.assertThat;

import io.updraft.base.testing.Await;
import io.updraft.engine.testing.TestBolt;
import io.updraft.storm.UpdraftCluster;
import io.updraft.storm.program.ProgramFiles;
import java.io.IOException;
import java.io.Serializable;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.apache.storm.Config;
import org.apache.storm.state.KeyValueState;
import org.apache.storm.streams.Pair;
import org.apache.storm.task.OutputCollector;
import org.apache.storm.task.TopologyContext;
import org.apache.storm.testing.TestWordSpout;
import org.apache.storm.topology.OutputFieldsDeclarer;
import org.apache.storm.topology.TopologyBuilder;
import org.apache.storm.topology.base.BaseStatefulBolt;
import org.apache.storm.tuple.Fields;
import org.apache.storm.tuple.Tuple;
import org.apache.storm.tuple.Values;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Stateful bolts in two worker processes, which exchange checkpoints and pairs. No class is registered for serialization. */
@Tag("slow")
@SuppressWarnings("serial")
class StatefulWorkersTest {
    @TempDir
    Path directory;

    @Test
    void shouldCommitInBothWorkersAndSendPairsBetweenThem() throws Exception {
        ConcurrentLinkedQueue<String> errors = new ConcurrentLinkedQueue<>();
        TopologyBuilder builder = new TopologyBuilder();
        builder.setSpout("words", new TestWordSpout());
        builder.setBolt("count", new Counts(new Marks(directory)), 2).shuffleGrouping("words");
        builder.setBolt("pairs", new Pairs(new Marks(directory)), 2).shuffleGrouping("count");
        try (UpdraftCluster cluster = new UpdraftCluster.Builder()
                .withEngines(LocalWorkers.starter(
                        new WorkerSettings(ProgramFiles.NONE, TestWorkers.jvm(), directory, new RecordedLines())))
                .withErrorListener((name, error) -> errors.add(String.valueOf(error.error())))
                .withDrainLimit(Duration.ZERO)
                .build()) {
            Map<String, Object> conf =
                    Map.of(Config.TOPOLOGY_WORKERS, 2, Config.TOPOLOGY_STATE_CHECKPOINT_INTERVAL, 100);
            cluster.submitTopology("stateful", conf, builder.createTopology());
            Await.until("both have committed", () -> marks("committed").size() == 2);
            Await.until("both got pairs", () -> marks("pair").size() == 2);
        }
        assertThat(errors).isEmpty();
    }

    private Set<String> marks(String file) throws IOException {
        Path path = directory.resolve(file);
        return Files.exists(path) ? new TreeSet<>(Files.readAllLines(path)) : Set.of();
    }

    /** Writes down in which process something has happened. */
    private record Marks(String directory) implements Serializable {
        Marks(Path directory) {
            this(directory.toString());
        }

        void add(String file) {
            try {
                Files.writeString(
                        Path.of(directory, file),
                        ProcessHandle.current().pid() + "\n",
                        StandardOpenOption.CREATE,
                        StandardOpenOption.APPEND);
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }
    }

    private static final class Counts extends BaseStatefulBolt<KeyValueState<String, Long>> {
        private final Marks marks;
        private transient KeyValueState<String, Long> counts;
        private transient OutputCollector collector;

        Counts(Marks marks) {
            this.marks = marks;
        }

        @Override
        public void prepare(Map<String, Object> conf, TopologyContext context, OutputCollector out) {
            collector = out;
        }

        @Override
        public void initState(KeyValueState<String, Long> state) {
            counts = state;
        }

        @Override
        public void preCommit(long transaction) {
            marks.add("committed");
        }

        @Override
        public void execute(Tuple tuple) {
            String word = tuple.getString(0);
            counts.put(word, counts.get(word, 0L) + 1);
            collector.emit(tuple, new Values(Pair.of(word, counts.get(word))));
            collector.ack(tuple);
        }

        @Override
        public void declareOutputFields(OutputFieldsDeclarer declarer) {
            declarer.declare(new Fields("pair"));
        }
    }

    private static final class Pairs extends TestBolt {
        private final Marks marks;

        Pairs(Marks marks) {
            this.marks = marks;
        }

        @Override
        public void execute(Tuple tuple) {
            if (tuple.getValue(0) instanceof Pair) {
                marks.add("pair");
            }
            out.ack(tuple);
        }
    }
}
