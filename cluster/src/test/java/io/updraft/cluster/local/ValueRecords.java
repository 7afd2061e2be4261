package io.updraft.cluster.local;

import io.updraft.base.testing.Await;
import io.updraft.engine.testing.TestBolt;
import io.updraft.engine.testing.TestSpout;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.apache.storm.task.OutputCollector;
import org.apache.storm.task.TopologyContext;
import org.apache.storm.topology.TopologyBuilder;
import org.apache.storm.tuple.Fields;
import org.apache.storm.tuple.Tuple;
import org.apache.storm.tuple.Values;
import org.apache.storm.utils.Utils;
import org.slf4j.LoggerFactory;

/**
 * A topology whose numbers are recorded in files, across all processes. The source records acked numbers, and resumes behind
 * them when it is opened again. The middle bolt waits while a file {@code hold} exists. The sink records the executed numbers
 * when it is closed. The source stops when a file {@code stop} exists.
 *
 * @param directory the directory of the files
 */
@SuppressWarnings("serial")
record ValueRecords(Path directory) {
    static final String LOGGER = "com.acme.talkative";
    static final String COLOUR = "acme.colour";
    private static final long PACE_NANOS = 500_000;

    /** What one instance of a sink has written at its end. */
    record Page(String told, List<Integer> executed) {}

    TopologyBuilder topology() {
        TopologyBuilder builder = new TopologyBuilder();
        builder.setSpout("source", new Source(directory.toString()));
        builder.setBolt("middle", new Middle(directory.toString()), 2)
                .setNumTasks(4)
                .shuffleGrouping("source");
        builder.setBolt("sink", new Sink(directory.toString()), 2).fieldsGrouping("middle", new Fields("number"));
        return builder;
    }

    /** Returns when a number is held up. */
    void hold() throws Exception {
        Files.createFile(directory.resolve("hold"));
        Await.until("a number is held up", () -> Files.exists(directory.resolve("held")));
    }

    void letGo() throws IOException {
        Files.delete(directory.resolve("hold"));
    }

    void stop() throws IOException {
        Files.createFile(directory.resolve("stop"));
    }

    boolean isDone() {
        return Files.exists(directory.resolve("done"));
    }

    /** How many numbers there were. */
    int count() throws IOException {
        return Integer.parseInt(Files.readString(directory.resolve("done")));
    }

    /** The numbers that were acked, in that order, as often as they were. */
    List<Integer> acked() throws IOException {
        return numbers(directory.resolve("acked"), 0);
    }

    /** What sinks have written that have ended, but for those that were killed. */
    List<Page> pages() throws IOException {
        List<Page> pages = new ArrayList<>();
        try (Stream<Path> files = Files.list(directory)) {
            for (Path file : files.filter(each -> each.getFileName().toString().startsWith("sink-"))
                    .toList()) {
                pages.add(new Page(Files.readAllLines(file).get(0), numbers(file, 1)));
            }
        }
        return pages;
    }

    private static List<Integer> numbers(Path file, int skip) throws IOException {
        return Files.exists(file)
                ? Files.readAllLines(file).stream()
                        .skip(skip)
                        .map(Integer::valueOf)
                        .toList()
                : List.of();
    }

    private static final class Source extends TestSpout {
        private final String directory;
        private transient BitSet known;
        private transient FileOutputStream acked;
        private transient Set<Integer> pending;
        private transient ArrayDeque<Integer> failed;
        private transient int next;
        private transient long paceNanos;
        private transient boolean done;

        Source(String directory) {
            super("number");
            this.directory = directory;
        }

        @Override
        protected void opened() {
            known = new BitSet();
            pending = new HashSet<>();
            failed = new ArrayDeque<>();
            paceNanos = System.nanoTime();
            try {
                new ValueRecords(Path.of(directory)).acked().forEach(known::set);
                acked = new FileOutputStream(directory + "/acked", true);
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }

        @Override
        public void nextTuple() {
            if (System.nanoTime() - paceNanos < 0) {
                return;
            }
            paceNanos = System.nanoTime() + PACE_NANOS;
            Integer number = failed.poll();
            if (number == null && Files.notExists(Path.of(directory, "stop"))) {
                next = known.nextClearBit(next);
                number = next++;
            }
            if (number != null) {
                pending.add(number);
                out.emit(new Values(number), number);
            } else if (pending.isEmpty() && !done) {
                sayDone();
            }
        }

        /** A number below the last that was acked may be missing after a kill. */
        private void sayDone() {
            if (next < known.length()) {
                next = known.nextClearBit(next);
                if (next < known.length()) {
                    failed.add(next++);
                    return;
                }
            }
            try {
                Path draft = Files.writeString(Path.of(directory, "draft"), String.valueOf(known.cardinality()));
                Files.move(draft, Path.of(directory, "done"), StandardCopyOption.ATOMIC_MOVE);
                done = true;
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }

        @Override
        public void ack(Object number) {
            try {
                pending.remove(number);
                known.set((Integer) number);
                acked.write((number + "\n").getBytes(StandardCharsets.US_ASCII));
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }

        @Override
        public void fail(Object number) {
            pending.remove(number);
            failed.add((Integer) number);
        }
    }

    private static final class Middle extends TestBolt {
        private final String directory;

        Middle(String directory) {
            super("number");
            this.directory = directory;
        }

        @Override
        public void execute(Tuple tuple) {
            if (Files.exists(Path.of(directory, "hold"))) {
                awaitLetGo();
            }
            out.emit(tuple, new Values(tuple.getInteger(0)));
            out.ack(tuple);
        }

        private void awaitLetGo() {
            try {
                Files.writeString(Path.of(directory, "held"), "");
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
            while (Files.exists(Path.of(directory, "hold"))) {
                Utils.sleep(5);
            }
        }
    }

    private static final class Sink extends TestBolt {
        private final String directory;
        private transient String colour;
        private transient String name;
        private transient IntStream.Builder executed;

        Sink(String directory) {
            this.directory = directory;
        }

        @Override
        public void prepare(Map<String, Object> conf, TopologyContext context, OutputCollector boltCollector) {
            super.prepare(conf, context, boltCollector);
            colour = String.valueOf(conf.get(COLOUR));
            name = "sink-" + context.getThisTaskId() + "-"
                    + ProcessHandle.current().pid();
            executed = IntStream.builder();
        }

        @Override
        public void execute(Tuple tuple) {
            executed.add(tuple.getInteger(0));
            out.ack(tuple);
        }

        @Override
        public void cleanup() {
            List<String> lines = new ArrayList<>();
            lines.add(colour + " " + LoggerFactory.getLogger(LOGGER).isDebugEnabled());
            executed.build().mapToObj(Integer::toString).forEach(lines::add);
            try {
                Files.write(Path.of(directory, name), lines);
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }
    }
}
