package io.updraft.cluster.local;

import io.updraft.base.testing.Await;
import io.updraft.engine.snapshot.EngineSnapshot;
import io.updraft.engine.snapshot.ErrorReport;
import io.updraft.engine.snapshot.Move;
import io.updraft.storm.UpdraftCluster;
import io.updraft.storm.program.ProgramFiles;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import org.apache.storm.Config;
import org.apache.storm.topology.TopologyBuilder;
import org.apache.storm.tuple.Fields;

/** A cluster whose topologies run in worker processes, with queries for tests. */
final class TestWorkers implements AutoCloseable, WorkerOutput {
    static final String NAME = "numbers";
    private static final List<String> SMALL_JVM = List.of(
            "-XX:+UseSerialGC",
            "-XX:TieredStopAtLevel=1",
            "-XX:+UnlockDiagnosticVMOptions",
            "-XX:-BytecodeVerificationRemote");

    /** Milliseconds that another worker may be silent. */
    static final String PATIENCE = "updraft.transport.silence.ms";

    private final Path directory;
    private final UpdraftCluster cluster;
    private final Map<String, Object> conf = new HashMap<>();
    private final List<ErrorReport> errors = new CopyOnWriteArrayList<>();
    private final List<String> messages = new CopyOnWriteArrayList<>();

    TestWorkers(Path directory, int workers) {
        this(directory, workers, Duration.ofSeconds(20));
    }

    TestWorkers(Path directory, int workers, Duration drainLimit) {
        this.directory = directory;
        cluster = new UpdraftCluster.Builder()
                .withEngines(LocalWorkers.starter(new WorkerSettings(ProgramFiles.NONE, jvm(), directory, this)))
                .withErrorListener((name, error) -> errors.add(error))
                .withDrainLimit(drainLimit)
                .build();
        conf.put(Config.TOPOLOGY_WORKERS, workers);
        conf.put(Config.TOPOLOGY_MAX_SPOUT_PENDING, 500);
        conf.put("updraft.loops", 1);
    }

    static List<String> jvm() {
        List<String> options = new ArrayList<>(SMALL_JVM);
        String log = System.getProperty("log4j2.configurationFile");
        if (log != null) {
            options.add("-Dlog4j2.configurationFile=" + log);
        }
        return options;
    }

    /**
     * For who counts tuples: a worker that gets no processor for seconds must not count as gone, nor a tuple that waits
     * for it as lost, or tuples are replayed.
     */
    TestWorkers patient() {
        return with(PATIENCE, 60_000).with(Config.TOPOLOGY_MESSAGE_TIMEOUT_SECS, 300);
    }

    TestWorkers with(String key, Object value) {
        conf.put(key, value);
        return this;
    }

    /** Submits a spout of numbers, four bolts that pass them on, and two that write down what they have seen. */
    TestWorkers submit(int messages) throws Exception {
        return submit(new ReplayingSpout(messages, done()));
    }

    /** The same with a spout that goes on until it is told that this is {@link #enough}. */
    TestWorkers submitEndless() throws Exception {
        return submit(new ReplayingSpout(0, done(), directory.resolve("enough")));
    }

    private TestWorkers submit(ReplayingSpout source) throws Exception {
        TopologyBuilder builder = new TopologyBuilder();
        builder.setSpout("source", source);
        builder.setBolt("middle", new ValueRecordingBolt(), 4).shuffleGrouping("source");
        builder.setBolt("sink", new ValueRecordingBolt(directory), 2).fieldsGrouping("middle", new Fields("number"));
        return submit(builder);
    }

    TestWorkers submit(TopologyBuilder builder) throws Exception {
        cluster.submitTopology(NAME, conf, builder.createTopology());
        return this;
    }

    void enough() throws IOException {
        Files.createFile(directory.resolve("enough"));
    }

    UpdraftCluster cluster() {
        return cluster;
    }

    Path done() {
        return directory.resolve("done");
    }

    void awaitDone() throws Exception {
        Await.until("every number is acked", () -> done().toFile().exists());
    }

    void awaitAcked(long least) throws Exception {
        Await.until(least + " numbers are acked", () -> acked() >= least);
    }

    long acked() throws Exception {
        return workers().snapshot().components().stream()
                .filter(component -> component.spout())
                .mapToLong(component -> component.acked())
                .sum();
    }

    /** Waits for the n-th move of a worker's process. {@return the move} */
    Move awaitMove(int number) throws Exception {
        List<Move> moves = new ArrayList<>();
        Await.until(number + " moves of workers", () -> {
            moves.clear();
            workers().snapshot().moves().stream()
                    .filter(move -> move.subject().startsWith("worker "))
                    .forEach(moves::add);
            return moves.size() >= number;
        });
        return moves.get(number - 1);
    }

    LocalWorkers workers() throws Exception {
        return (LocalWorkers) cluster.engine(NAME);
    }

    void awaitTold(String text) throws Exception {
        Await.until(
                "it is reported that '" + text + "'", () -> messages.stream().anyMatch(line -> line.contains(text)));
    }

    List<String> messages() {
        return List.copyOf(messages);
    }

    List<ErrorReport> errors() {
        return List.copyOf(errors);
    }

    /** The process of a worker; a worker that is down has none, and it is waited for. */
    long pid(int worker) throws Exception {
        Await.until(
                "all workers live",
                () -> workers().pids().size() == workers().plan().workers());
        return workers().pids().get(worker);
    }

    static void signal(String name, long pid) throws IOException, InterruptedException {
        int code = new ProcessBuilder("kill", "-" + name, Long.toString(pid))
                .start()
                .waitFor();
        if (code != 0) {
            throw new AssertionError("kill -" + name + " " + pid + " exits with " + code);
        }
    }

    /** Processes of workers that this one has started, or that they have left. */
    static List<Long> processes() {
        return ProcessHandle.current()
                .descendants()
                .filter(ProcessHandle::isAlive)
                .filter(process -> commandLine(process).contains(WorkerMain.class.getName()))
                .map(ProcessHandle::pid)
                .toList();
    }

    /** ProcessHandle knows none that is longer than a page, as one with a class path is. */
    private static String commandLine(ProcessHandle process) {
        try {
            return Files.readString(Path.of("/proc", Long.toString(process.pid()), "cmdline"));
        } catch (IOException notLinuxOrGone) {
            return process.info().commandLine().orElse("");
        }
    }

    @Override
    public void out(String line) {
        System.out.println(line);
    }

    @Override
    public void err(String line) {
        System.out.println(line);
    }

    @Override
    public void message(String line) {
        messages.add(line);
    }

    /** Drains and ends the topology. {@return its last state} */
    EngineSnapshot end() throws Exception {
        LocalWorkers topology = workers();
        cluster.close();
        return topology.snapshot();
    }

    @Override
    public void close() {
        cluster.close();
    }
}
