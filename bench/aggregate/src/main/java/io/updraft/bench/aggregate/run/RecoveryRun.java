package io.updraft.bench.aggregate.run;

import io.updraft.bench.aggregate.data.Model;
import io.updraft.bench.aggregate.peer.Job;
import io.updraft.bench.aggregate.peer.PeerMain;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/**
 * Some processes of one group read a topic as fast as they can; one of them is killed. Measured is how long it takes until the others
 * have got records of every partition, by what their Kafka consumers say; what they had before the kill is waited for first. In the
 * end every result must be there once, and right.
 */
public final class RecoveryRun {

    private static final Duration START = Duration.ofMinutes(4);
    private static final Duration STALLED = Duration.ofMinutes(3);
    private static final long LOOK_MILLIS = 20;
    private static final long CHECK_MILLIS = 1000;

    private final Topics topics;
    private final Model model;
    private final String heap;

    /** Prepares a run; the input is there. */
    public RecoveryRun(Topics topics, Model model, String heap) {
        this.topics = topics;
        this.model = model;
        this.heap = heap;
    }

    /**
     * How it went.
     *
     * @param lost partitions that the process had that was killed
     * @param millis from its end until the others had records of all partitions; -1 if that did not come about
     * @param left records that none had read when it was killed, so that all that time was at full load
     * @param problems what is wrong; empty if every result is there once, and right
     */
    public record Result(int lost, long millis, long left, List<String> problems) {}

    /**
     * Runs.
     *
     * @param job what each process does; its output is created
     * @param processes how many
     * @param records how many there are to be read
     * @return how it went
     * @throws IOException when no JVM can be started
     * @throws InterruptedException when this thread is interrupted
     */
    public Result run(Job job, int processes, long records) throws IOException, InterruptedException {
        topics.create(job.output(), PeerRun.OUTPUT_PARTITIONS);
        List<ChildJvm> children = new ArrayList<>();
        try {
            for (int i = 0; i < processes; i++) {
                children.add(new ChildJvm(PeerMain.class, job.toJson(), heap, ClassPaths.updraft()));
            }
            return killed(children, job, records);
        } finally {
            for (ChildJvm child : children) {
                child.close();
            }
            topics.delete(job.output());
        }
    }

    private Result killed(List<ChildJvm> children, Job job, long records) throws IOException, InterruptedException {
        if (!await(START, () -> owned(children) == job.partitions() && all(children))) {
            return new Result(
                    0,
                    -1,
                    0,
                    List.of("the processes do not share " + job.partitions()
                            + " partitions: "
                            + children.stream().map(ChildJvm::last).toList() + "\n"
                            + children.get(0).tail()));
        }
        long left = records
                - children.stream().mapToLong(child -> child.last().records()).sum();
        ChildJvm victim = children.remove(0);
        int lost = victim.last().partitions();
        victim.process().destroyForcibly();
        victim.process().onExit().join();
        long killed = System.nanoTime();
        boolean recovered = await(START, () -> owned(children) == job.partitions());
        long millis = recovered ? (System.nanoTime() - killed) / 1_000_000 : -1;
        victim.close();
        return new Result(lost, millis, left, awaitResults(children, job.output()));
    }

    private static boolean all(List<ChildJvm> children) {
        return children.stream().allMatch(child -> child.last().partitions() > 0);
    }

    private static int owned(List<ChildJvm> children) {
        return children.stream().mapToInt(child -> child.last().partitions()).sum();
    }

    /** Results are compared when enough are there, and again while more come. */
    private List<String> awaitResults(List<ChildJvm> children, String output) throws InterruptedException {
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
        all.add("no more results came, after " + records + " of " + model.results());
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
