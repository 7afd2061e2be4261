package io.updraft.bench.topology;

import io.updraft.bench.spec.ProcessUsage;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.stream.Stream;
import org.HdrHistogram.Histogram;
import org.apache.storm.task.TopologyContext;

/**
 * The counters of one run, shared by its components and the harness. A static registry holds the states by the run's id,
 * because components are serialized when they are submitted and keep only the id. When components run in other processes, each
 * process has its own state, and the harness receives copies ({@link WorkerReports}).
 */
public final class BenchRunState {

    private static final Map<String, BenchRunState> RUNS = new ConcurrentHashMap<>();

    private final List<BenchTaskCounters> probes = new CopyOnWriteArrayList<>();
    private final List<Map<String, Integer>> wordCounts = new CopyOnWriteArrayList<>();
    private final List<Histogram> latencies = new ArrayList<>();
    private long gcMillis;
    private volatile Window window;
    private volatile boolean quiet;

    BenchRunState() {}

    /**
     * Returns the state of a run, and creates it if it does not exist. If the id names a harness in another process, a new
     * state connects to that harness.
     *
     * @return the one state of that run in this JVM
     */
    public static BenchRunState of(String id) {
        return RUNS.computeIfAbsent(id, BenchRunState::begin);
    }

    private static BenchRunState begin(String id) {
        BenchRunState run = new BenchRunState();
        RunAddress.in(id).ifPresent(harness -> RunReporter.start(harness, run));
        return run;
    }

    void add(RunReport report) throws IOException {
        report.tasks().forEach(task -> probes.add(new BenchTaskCounters(this, task)));
        wordCounts.addAll(report.words());
        gcMillis += report.gcMillis();
        Optional.ofNullable(report.histogram()).ifPresent(latencies::add);
    }

    /** Executes the command of a question, if the question has one. */
    public void execute(BenchQuery question) {
        switch (question) {
            case START_WINDOW -> startWindow();
            case END_WINDOW -> endWindow();
            case QUIET -> stopSpouts();
            case COUNTS, ALL -> {}
        }
    }

    /** Executes the command of a question; {@return the answer} */
    RunReport answer(BenchQuery question) {
        execute(question);
        List<RunReport.Task> tasks =
                probes.stream().map(BenchTaskCounters::report).toList();
        return question == BenchQuery.ALL
                ? new RunReport(tasks, ProcessUsage.collectingMillis(), RunReport.encoded(latencies()), wordCounts)
                : new RunReport(tasks, ProcessUsage.collectingMillis(), null, List.of());
    }

    /** {@return the workers' garbage collection time in milliseconds; 0 when the harness is in the same process} */
    public long gcMillis() {
        return gcMillis;
    }

    /**
     * Registers a task. A task that is restarted gets another probe, and both count.
     *
     * @param component the id of the task's component
     */
    public BenchTaskCounters probe(String component) {
        BenchTaskCounters probe = new BenchTaskCounters(this, component);
        probes.add(probe);
        return probe;
    }

    /** Registers a task that also counts which tuples came from other workers. */
    public BenchTaskCounters probe(TopologyContext context) {
        BenchTaskCounters probe = new BenchTaskCounters(this, context.getThisComponentId());
        probe.prepareCrossing(context);
        probes.add(probe);
        return probe;
    }

    /**
     * Registers the word counts of a counting task.
     *
     * @param counts the counts; written by one task, read when the run has drained
     */
    public void words(Map<String, Integer> counts) {
        wordCounts.add(counts);
    }

    public List<Map<String, Integer>> wordCounts() {
        return wordCounts;
    }

    /** {@return the number of registered tasks} */
    public int tasks() {
        return probes.size();
    }

    /** Sums a counter over all tasks. */
    public long sum(TaskCounter counter) {
        return sum(probes, counter);
    }

    /** Sums a counter over the tasks of a component. */
    public long sum(String component, TaskCounter counter) {
        return sum(probes(component), counter);
    }

    /** Returns the probes of a component's tasks. */
    public List<BenchTaskCounters> probes(String component) {
        return probes.stream()
                .filter(probe -> probe.component().equals(component))
                .toList();
    }

    /**
     * Tells the spouts to stop emitting. They stay active: a Storm spout that is deactivated under back-pressure keeps the
     * tuple that it could not emit until it is activated again.
     */
    public void stopSpouts() {
        quiet = true;
    }

    /** {@return whether spouts must stop emitting} Spouts check this in {@code nextTuple}. */
    public boolean isQuiet() {
        return quiet;
    }

    /** Begins the measurement. Latencies of messages emitted or due from now on are recorded. */
    public void startWindow() {
        window = new Window(System.nanoTime(), false, 0);
    }

    /** Ends the measurement. Latencies of later messages are not recorded; those of earlier messages still are. */
    public void endWindow() {
        window = new Window(window.from(), true, System.nanoTime());
    }

    boolean measures(long time) {
        Window now = window;
        return now != null && time - now.from() >= 0 && !(now.ended() && time - now.to() >= 0);
    }

    /** {@return all latencies of the measurement in nanoseconds; call only when the run has drained} */
    public Histogram latencies() {
        Histogram all = new Histogram(3);
        Stream.concat(
                        latencies.stream(),
                        probes.stream().map(BenchTaskCounters::latency).filter(Objects::nonNull))
                .forEach(all::add);
        return all;
    }

    private static long sum(List<BenchTaskCounters> probes, TaskCounter counter) {
        return probes.stream().mapToLong(probe -> probe.get(counter)).sum();
    }

    /** The measurement's time window. A message belongs to it by the time the message was emitted or, in open loop, due. */
    private record Window(long from, boolean ended, long to) {}
}
