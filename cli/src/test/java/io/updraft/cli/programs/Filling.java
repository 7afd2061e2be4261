package io.updraft.cli.programs;

import java.lang.management.ManagementFactory;
import java.lang.management.MemoryPoolMXBean;
import java.lang.management.MemoryUsage;
import java.util.HashMap;
import java.util.Map;
import org.apache.storm.task.OutputCollector;
import org.apache.storm.task.TopologyContext;
import org.apache.storm.tuple.Tuple;

/** Emits numbers without end. The sink fills most of its heap, waits for a while, and then fills the rest. */
public final class Filling {
    private Filling() {}

    /**
     * Submits them.
     *
     * @param args none
     */
    public static void main(String[] args) throws Exception {
        CliPrograms.submit(new Filler());
    }

    static final class Filler extends ProgramBolt {
        private static final long serialVersionUID = 1L;
        private static final int STEP = 2_000;
        private static final double MOST = 0.94;
        private static final long PAUSE_NANOS = 20_000_000_000L;
        private transient Map<Long, byte[]> seen;
        private transient long fullSince;

        @Override
        public void prepare(Map<String, Object> conf, TopologyContext context, OutputCollector boltCollector) {
            super.prepare(conf, context, boltCollector);
            seen = new HashMap<>();
            System.out.println("fills");
        }

        @Override
        public void execute(Tuple tuple) {
            out.ack(tuple);
            if (fullSince == 0 || System.nanoTime() - fullSince > PAUSE_NANOS) {
                for (int i = 0; i < STEP; i++) {
                    seen.put((long) seen.size(), new byte[1_000]);
                }
            }
            System.gc();
            if (fullSince == 0 && share() > MOST) {
                fullSince = System.nanoTime();
            }
        }

        /** Returns how full the part of the heap for old objects is after a collection. */
        private static double share() {
            for (MemoryPoolMXBean pool : ManagementFactory.getMemoryPoolMXBeans()) {
                MemoryUsage after = pool.getCollectionUsage();
                if (pool.isUsageThresholdSupported() && after != null) {
                    return (double) after.getUsed() / after.getMax();
                }
            }
            return 0;
        }
    }
}
