package io.updraft.bench.aggregate.run;

import io.updraft.base.json.Json;
import io.updraft.bench.aggregate.data.ExpectedResults;
import io.updraft.bench.aggregate.peer.PeerJob;
import io.updraft.bench.aggregate.peer.PeerMain;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/**
 * Measures recovery. Several processes of one consumer group read a topic at full speed, and one of them is killed. The run
 * measures the time until the other processes have fetched records of every partition, by their Kafka consumers' metrics.
 * Before the kill, the run waits until the processes read all partitions. At the end every result must have arrived once and be
 * right.
 */
public final class RecoveryRun {

    private static final Duration START = Duration.ofMinutes(4);
    private static final Duration STALLED = Duration.ofMinutes(3);
    private static final long LOOK_MILLIS = 20;
    private static final long CHECK_MILLIS = 1000;

    private final BenchTopics topics;
    private final ExpectedResults model;
    private final String heap;

    /** Prepares a run; the input topic must exist and have all records. */
    public RecoveryRun(BenchTopics topics, ExpectedResults model, String heap) {
        this.topics = topics;
        this.model = model;
        this.heap = heap;
    }

    /**
     * The result of a run.
     *
     * @param lost the number of partitions of the killed process
     * @param millis milliseconds from the end of the killed process until the others had records of all partitions; -1 if that
     *     did not happen
     * @param left the number of unread records at the kill; they keep the load full during recovery
     * @param problems the problems; empty if every result arrived once and is right
     */
    public record Result(int lost, long millis, long left, List<String> problems) {}

    /**
     * Executes a run.
     *
     * @param job the job of each process; its output topic is created and deleted
     * @param records the number of records to read
     */
    public Result run(PeerJob job, int processes, long records) throws IOException, InterruptedException {
        topics.create(job.output(), PeerRun.OUTPUT_PARTITIONS);
        List<PeerJvm> children = new ArrayList<>();
        try {
            for (int i = 0; i < processes; i++) {
                children.add(new PeerJvm(PeerMain.class, Json.write(job), heap, PeerClassPaths.updraft()));
            }
            return killed(children, job, records);
        } finally {
            for (PeerJvm child : children) {
                child.close();
            }
            topics.delete(job.output());
        }
    }

    private Result killed(List<PeerJvm> children, PeerJob job, long records) throws IOException, InterruptedException {
        if (!await(START, () -> owned(children) == job.partitions() && all(children))) {
            return new Result(
                    0,
                    -1,
                    0,
                    List.of("the processes did not start to read all " + job.partitions()
                            + " partitions: "
                            + children.stream().map(PeerJvm::lastUsage).toList() + "\n"
                            + children.get(0).tail()));
        }
        long left = records
                - children.stream()
                        .mapToLong(child -> child.lastUsage().records())
                        .sum();
        PeerJvm victim = children.remove(0);
        int lost = victim.lastUsage().partitions();
        victim.process().destroyForcibly();
        victim.process().onExit().join();
        long killed = System.nanoTime();
        boolean recovered = await(START, () -> owned(children) == job.partitions());
        long millis = recovered ? (System.nanoTime() - killed) / 1_000_000 : -1;
        victim.close();
        return new Result(lost, millis, left, awaitResults(children, job.output()));
    }

    private static boolean all(List<PeerJvm> children) {
        return children.stream().allMatch(child -> child.lastUsage().partitions() > 0);
    }

    private static int owned(List<PeerJvm> children) {
        return children.stream()
                .mapToInt(child -> child.lastUsage().partitions())
                .sum();
    }

    /** Compares the results when the expected number has arrived, and again while more arrive. */
    private List<String> awaitResults(List<PeerJvm> children, String output) throws InterruptedException {
        long records = -1;
        long changed = System.nanoTime();
        List<String> problems = List.of();
        while (System.nanoTime() - changed < STALLED.toNanos()) {
            long now = topics.records(output, PeerRun.OUTPUT_PARTITIONS);
            if (now != records) {
                records = now;
                changed = System.nanoTime();
            }
            if (now >= model.results()) {
                ResultCheck check = new ResultCheck(model);
                topics.readAll(output, PeerRun.OUTPUT_PARTITIONS, result -> check.result(result.value()));
                problems = check.problems();
                if (problems.isEmpty()) {
                    return problems;
                }
            }
            Thread.sleep(CHECK_MILLIS);
        }
        List<String> all = new ArrayList<>(problems);
        all.add("no further results arrived after " + records + " of " + model.results());
        children.stream()
                .filter(child -> child.problem() != null)
                .forEach(child -> all.add(child.problem() + "\n" + child.tail()));
        return all;
    }

    private static boolean await(Duration limit, java.util.function.BooleanSupplier condition)
            throws InterruptedException {
        long deadline = System.nanoTime() + limit.toNanos();
        while (!condition.getAsBoolean()) {
            if (System.nanoTime() - deadline > 0) {
                return false;
            }
            Thread.sleep(LOOK_MILLIS);
        }
        return true;
    }
}
