package io.updraft.bench;

import io.updraft.bench.spec.Shape;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.apache.storm.Config;

/** Storm settings that an experienced user would try for runs in one process. */
final class StormSettings {

    private static final List<Integer> BATCHES = List.of(1, 100, 1000);
    private static final List<Integer> PENDINGS = List.of(1000, 5000, 100_000);
    /**
     * Numbers of pending Trident batches; the first performs best. With eight batches of 5,000 sentences Storm stalls for
     * seconds.
     */
    private static final List<Integer> BATCHES_PENDING = List.of(2, 4, 8);

    private static final int MANY_EXECUTORS = 32;
    private static final int OPEN_LOOP_PENDING = 100_000;
    private static final int RECEIVE_BUFFER = 32768;
    private static final String PARK = "org.apache.storm.policy.WaitStrategyPark";

    private StormSettings() {}

    /** {@return the settings used without tuning} */
    static PeerSettings usual(Shape shape, int maxSpoutPending) {
        return of(100, pending(5000, shape, maxSpoutPending));
    }

    /**
     * Returns the settings that tuning tries. For throughput: all batch sizes with all numbers of pending messages, which are
     * totals over all spouts, or with the user's number. For latency: batches of 1 and 100, with Storm's default wait strategy
     * and with shorter waits.
     */
    static List<PeerSettings> candidates(Shape shape, int maxSpoutPending) {
        List<PeerSettings> all = new ArrayList<>();
        if (shape.openLoop()) {
            for (int batch : List.of(1, 100)) {
                PeerSettings settings = of(batch, pending(OPEN_LOOP_PENDING, shape, maxSpoutPending));
                all.add(settings);
                all.add(parking(settings, 100));
            }
            return all;
        }
        // With one thread per executor and few cores, threads that spin while waiting take CPU time from the others;
        // then most candidates park.
        boolean park = shape.spouts() + shape.levels() * shape.bolts() > MANY_EXECUTORS;
        for (int batch : BATCHES) {
            for (int pending : pendings(shape, maxSpoutPending)) {
                all.add(park ? parking(of(batch, pending), 1000) : of(batch, pending));
            }
        }
        if (park) {
            all.add(usual(shape, maxSpoutPending));
        }
        return all;
    }

    private static List<Integer> pendings(Shape shape, int maxSpoutPending) {
        if (inBatches(shape) && maxSpoutPending == 0) {
            return BATCHES_PENDING;
        }
        if (!shape.acked()) {
            return List.of(0);
        }
        return PENDINGS.stream()
                .map(total -> pending(total, shape, maxSpoutPending))
                .distinct()
                .toList();
    }

    /** {@return the pending limit of one spout: the user's, or its share of the total; 0 when messages are not tracked} */
    static int pending(int total, Shape shape, int maxSpoutPending) {
        if (!shape.acked()) {
            return 0;
        }
        if (inBatches(shape)) {
            return maxSpoutPending > 0 ? maxSpoutPending : BATCHES_PENDING.get(0);
        }
        return maxSpoutPending > 0 ? maxSpoutPending : Math.max(1, total / shape.spouts());
    }

    /** Whether the pending limit counts Trident batches instead of messages. */
    private static boolean inBatches(Shape shape) {
        return shape.topology().equals("tridentwords");
    }

    static PeerSettings of(int batch, int pending) {
        Map<String, Object> conf = new LinkedHashMap<>();
        conf.put(Config.TOPOLOGY_PRODUCER_BATCH_SIZE, batch);
        conf.put(Config.TOPOLOGY_TRANSFER_BATCH_SIZE, batch);
        conf.put(Config.TOPOLOGY_TRANSFER_BUFFER_SIZE, RECEIVE_BUFFER);
        conf.put(Config.TOPOLOGY_EXECUTOR_RECEIVE_BUFFER_SIZE, RECEIVE_BUFFER);
        conf.put(Config.TOPOLOGY_BATCH_FLUSH_INTERVAL_MILLIS, 1);
        conf.put(Config.TOPOLOGY_DISABLE_LOADAWARE_MESSAGING, true);
        conf.put(Config.TOPOLOGY_STATS_SAMPLE_RATE, 0.0005);
        if (pending > 0) {
            conf.put(Config.TOPOLOGY_MAX_SPOUT_PENDING, pending);
        }
        return new PeerSettings("batch " + batch + (pending > 0 ? ", pending " + pending : ""), conf);
    }

    /** {@return the settings with another batch size between workers} */
    static PeerSettings transferring(PeerSettings settings, int batch) {
        return settings.with("transfer batch " + batch, Map.of(Config.TOPOLOGY_TRANSFER_BATCH_SIZE, batch));
    }

    /** {@return the settings with threads that wait by parking} */
    static PeerSettings parking(PeerSettings settings, int micros) {
        return settings.with(
                "parking " + micros + " us",
                Map.of(
                        Config.TOPOLOGY_SPOUT_WAIT_STRATEGY, PARK,
                        Config.TOPOLOGY_SPOUT_WAIT_PARK_MICROSEC, micros,
                        Config.TOPOLOGY_BOLT_WAIT_STRATEGY, PARK,
                        Config.TOPOLOGY_BOLT_WAIT_PARK_MICROSEC, micros));
    }
}
