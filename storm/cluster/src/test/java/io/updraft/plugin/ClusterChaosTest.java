package io.updraft.plugin;

import io.updraft.stormcluster.StormCluster;
import io.updraft.stormcluster.StormWorkerProcess;
import java.nio.file.Path;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import org.apache.storm.generated.RebalanceOptions;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * Random faults of a cluster, one after the other and some of them together, while a topology with a replayable source runs. The
 * seed {@code updraft.chaos.seed} chooses the faults; they last {@code updraft.chaos.minutes} (10). All messages are acked in the
 * end, none is acked without having been processed, and nothing is left of the topology. {@code -Dupdraft.faults.stock=true} runs
 * it in Storm's workers.
 */
@Tag("long")
final class ClusterChaosTest {
    private static final long SEED = Long.getLong("updraft.chaos.seed", 43);
    private static final int MINUTES = Integer.getInteger("updraft.chaos.minutes", 10);
    private static final List<String> SUPERVISORS = List.of("supervisor-1", "supervisor-2");

    private final Random random = new Random(SEED);
    private final Map<Fault, Integer> counts = new EnumMap<>(Fault.class);
    private RecordedRun run;
    private StormCluster cluster;

    private enum Fault {
        KILL_WORKER,
        KILL_SUPERVISOR,
        KILL_SUPERVISOR_AND_WORKER,
        KILL_NIMBUS,
        RESTART_ZOOKEEPER,
        PAUSE_WORKER,
        REBALANCE
    }

    @Test
    @Timeout(value = 90, unit = TimeUnit.MINUTES)
    void shouldLoseNothingInRandomFaults(@TempDir Path directory) throws Exception {
        try (RecordedRun started = new RecordedRun(directory)) {
            run = started;
            cluster = run.cluster();
            run.begin();
            injectFaults();
            heal();
            run.awaitMore("messages to be acked after all faults");
            run.report("chaos of " + MINUTES + " min, seed " + SEED + ": " + counts + ", "
                    + run.numbers().acked().cardinality() + " messages acked");
            run.killTopology(RecordedRun.NAME);
            run.awaitNothingLeft();
        }
    }

    private void injectFaults() throws Exception {
        long end = System.nanoTime() + MINUTES * 60_000_000_000L;
        while (System.nanoTime() < end) {
            Fault fault = Fault.values()[random.nextInt(Fault.values().length)];
            long before = System.currentTimeMillis();
            if (inject(fault)) {
                counts.merge(fault, 1, Integer::sum);
            }
            sleep(500, 8_000);
            if (random.nextInt(3) > 0) {
                heal();
                run.awaitMore("messages to be acked after " + fault + ", seed " + SEED);
                run.report(fault.toString(), before);
            }
        }
    }

    /** Injects a fault. Returns false if it is not possible now, for example because no worker is running. */
    private boolean inject(Fault fault) throws Exception {
        switch (fault) {
            case KILL_WORKER -> {
                return killWorker(anyWorker());
            }
            case KILL_SUPERVISOR -> cluster.killDaemon(anySupervisor());
            case KILL_SUPERVISOR_AND_WORKER -> {
                String supervisor = anySupervisor();
                cluster.killDaemon(supervisor);
                return killWorker(cluster.workers(RecordedRun.NAME).stream()
                        .filter(worker -> cluster.slots(supervisor).contains(worker.port()))
                        .findFirst()
                        .orElse(null));
            }
            case KILL_NIMBUS -> cluster.killDaemon("nimbus");
            case RESTART_ZOOKEEPER -> {
                cluster.killDaemon("zookeeper");
                sleep(0, 5_000);
                cluster.startDaemon("zookeeper");
            }
            case PAUSE_WORKER -> {
                StormWorkerProcess worker = anyWorker();
                if (worker == null) {
                    return false;
                }
                worker.pause();
                sleep(1_000, 15_000);
                worker.resume();
            }
            case REBALANCE -> rebalance(1 + random.nextInt(4));
        }
        return true;
    }

    private void rebalance(int workers) {
        heal();
        RebalanceOptions options = new RebalanceOptions();
        options.set_num_workers(workers);
        options.set_wait_secs(1);
        cluster.rebalance(RecordedRun.NAME, options);
    }

    private static boolean killWorker(StormWorkerProcess worker) {
        if (worker != null) {
            worker.kill();
        }
        return worker != null;
    }

    private StormWorkerProcess anyWorker() {
        List<StormWorkerProcess> workers = cluster.workers(RecordedRun.NAME);
        return workers.isEmpty() ? null : workers.get(random.nextInt(workers.size()));
    }

    private String anySupervisor() {
        return SUPERVISORS.get(random.nextInt(SUPERVISORS.size()));
    }

    /** Starts all daemons that were killed or have ended, and waits until Nimbus answers. */
    private void heal() {
        cluster.startEndedDaemons();
        run.await("Nimbus to know the topology", () -> {
            cluster.startEndedDaemons();
            return cluster.topology(RecordedRun.NAME).isPresent();
        });
    }

    private void sleep(int least, int most) throws InterruptedException {
        Thread.sleep(least + random.nextInt(most - least)); // the faults themselves: their duration is random
    }
}
