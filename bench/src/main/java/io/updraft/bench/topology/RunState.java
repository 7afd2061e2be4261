package io.updraft.bench.topology;

import java.lang.management.GarbageCollectorMXBean;
import java.lang.management.ManagementFactory;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.stream.Stream;
import org.HdrHistogram.Histogram;
import org.apache.storm.task.TopologyContext;

/**
 * Where the components of one run and the harness meet: a static registry, for components are serialized on their way
 * into a cluster and find their way back by the run's id. Where they are in other processes than the harness, each process has
 * a state of its own, and the harness gets copies ({@link WorkerLine}).
 */
public final class RunState {

    private static final Map<String, RunState> RUNS = new ConcurrentHashMap<>();

    private final List<Probe> probes = new CopyOnWriteArrayList<>();
    private final List<Map<String, Integer>> wordCounts = new CopyOnWriteArrayList<>();
    private final List<Histogram> latencies = new ArrayList<>();
    private long gcMillis;
    private volatile Window window;
    private volatile boolean quiet;

    private RunState() {}

    /**
     * Finds a run, or begins it. When the id names a harness in another process, that harness is told of this process.
     *
     * @param id the run's id
     * @return the one state of that run in this JVM
     */
    public static RunState of(String id) {
        return RUNS.computeIfAbsent(id, RunState::begin);
    }

    private static RunState begin(String id) {
        RunState run = new RunState();
        RunAddress.in(id).ifPresent(harness -> RunReporter.start(harness, run));
        return run;
    }

    /**
     * Puts together what several workers have told last.
     *
     * @param lines the lines to them
     * @return the state of the run as it was then; nobody writes to it
     */
    public static RunState told(List<WorkerLine> lines) {
        RunState all = new RunState();
        for (WorkerLine line : lines) {
            RunReport report = line.last();
            if (report != null) {
                report.tasks().forEach(task -> all.probes.add(new Probe(all, task)));
                all.wordCounts.addAll(report.words());
                all.gcMillis += report.gcMillis();
                if (report.latencies() != null) {
                    all.latencies.add(report.latencies());
                }
            }
        }
        return all;
    }

    /**
     * Does what a question asks for.
     *
     * @param question the question
     */
    public void obey(Question question) {
        switch (question) {
            case START_WINDOW -> startWindow();
            case END_WINDOW -> endWindow();
            case QUIET -> beQuiet();
            case COUNTS, ALL -> {}
        }
    }

    /** Does what a question asks for; {@return what there is to tell} */
    RunReport answer(Question question) {
        obey(question);
        List<RunReport.Task> tasks = probes.stream().map(Probe::report).toList();
        return question == Question.ALL
                ? new RunReport(tasks, collectingMillis(), latencies(), wordCounts)
                : new RunReport(tasks, collectingMillis(), null, List.of());
    }

    private static long collectingMillis() {
        return ManagementFactory.getGarbageCollectorMXBeans().stream()
                .mapToLong(GarbageCollectorMXBean::getCollectionTime)
                .sum();
    }

    /** {@return the time that the workers have spent collecting garbage; 0 when the harness is in the same process} */
    public long gcMillis() {
        return gcMillis;
    }

    /**
     * Registers a task; a task that is rebuilt gets a further probe and both count.
     *
     * @param component the id of the task's component
     * @return the task's counters
     */
    public Probe probe(String component) {
        Probe probe = new Probe(this, component);
        probes.add(probe);
        return probe;
    }

    /**
     * Registers a task that also counts which tuples came from other workers.
     *
     * @param context the task's
     * @return the task's counters
     */
    public Probe probe(TopologyContext context) {
        Probe probe = new Probe(this, context.getThisComponentId());
        probe.prepareCrossing(context);
        probes.add(probe);
        return probe;
    }

    /**
     * Registers a counter's words.
     *
     * @param counts written by one task; read when the run has drained
     */
    void words(Map<String, Integer> counts) {
        wordCounts.add(counts);
    }

    List<Map<String, Integer>> wordCounts() {
        return wordCounts;
    }

    /** {@return how many tasks have registered} */
    public int tasks() {
        return probes.size();
    }

    /**
     * Sums a counter up over all tasks.
     *
     * @param counter the counter
     * @return the sum
     */
    public long sum(Counter counter) {
        return sum(probes.stream(), counter);
    }

    /**
     * Sums a counter up over the tasks of a component.
     *
     * @param component the component's id
     * @param counter the counter
     * @return the sum
     */
    public long sum(String component, Counter counter) {
        return sum(of(probes, component), counter);
    }

    /**
     * The tasks of a component.
     *
     * @param component the component's id
     * @return their probes
     */
    public List<Probe> probes(String component) {
        return of(probes, component).toList();
    }

    /**
     * Asks the spouts to emit no more. They stay active meanwhile: a spout of Storm that is deactivated while it is
     * held back keeps the tuple that it could not hand over until it is activated again.
     */
    public void beQuiet() {
        quiet = true;
    }

    /** {@return whether spouts shall emit no more} For spouts to look at in {@code nextTuple}. */
    public boolean isQuiet() {
        return quiet;
    }

    /** Begins the measured part: latencies of messages from now on are recorded. */
    public void startWindow() {
        window = new Window(System.nanoTime(), false, 0);
    }

    /** Ends the measured part: latencies of later messages are not recorded, those of earlier ones still are. */
    public void endWindow() {
        window = new Window(window.from(), true, System.nanoTime());
    }

    boolean measures(long time) {
        Window now = window;
        return now != null && time - now.from() >= 0 && !(now.ended() && time - now.to() >= 0);
    }

    /** {@return all latencies of the measured part; only when the run has drained} */
    public Histogram latencies() {
        Histogram all = new Histogram(3);
        Stream.concat(latencies.stream(), probes.stream().map(Probe::latency).filter(Objects::nonNull))
                .forEach(all::add);
        return all;
    }

    private static Stream<Probe> of(List<Probe> probes, String component) {
        return probes.stream().filter(probe -> probe.component().equals(component));
    }

    private static long sum(Stream<Probe> probes, Counter counter) {
        return probes.mapToLong(probe -> probe.get(counter)).sum();
    }

    /** The measured part; messages belong to it by the time they were due. */
    private record Window(long from, boolean ended, long to) {}
}
