package io.updraft.cli.programs;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.apache.storm.task.OutputCollector;
import org.apache.storm.task.TopologyContext;
import org.apache.storm.tuple.Tuple;

/** Emits numbers without end. The sink acks all, and keeps the first 1,000 tuples with a kilobyte each. */
public final class Keeping {
    private Keeping() {}

    /**
     * Submits them.
     *
     * @param args none
     */
    public static void main(String[] args) throws Exception {
        CliPrograms.submit(new Keeper());
    }

    static final class Keeper extends ProgramBolt {
        private static final long serialVersionUID = 1L;
        private static final int KEPT = 1_000;
        private static final int BYTES = 1_024;
        private transient List<Object> kept;

        @Override
        public void prepare(Map<String, Object> conf, TopologyContext context, OutputCollector boltCollector) {
            super.prepare(conf, context, boltCollector);
            kept = new ArrayList<>();
        }

        @Override
        public void execute(Tuple tuple) {
            out.ack(tuple);
            if (kept.size() < KEPT) {
                kept.add(List.of(tuple, new byte[BYTES]));
                if (kept.size() == KEPT) {
                    System.out.println("kept");
                }
            }
        }
    }
}
