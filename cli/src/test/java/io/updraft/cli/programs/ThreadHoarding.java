package io.updraft.cli.programs;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.apache.storm.task.OutputCollector;
import org.apache.storm.task.TopologyContext;
import org.apache.storm.tuple.Tuple;

/** Emits numbers without end. The sink has a separate thread that keeps objects until the memory is full. */
public final class ThreadHoarding {
    private ThreadHoarding() {}

    /**
     * Submits them.
     *
     * @param args none
     */
    public static void main(String[] args) throws Exception {
        CliPrograms.submit(new Hoarder());
    }

    static final class Hoarder extends ProgramBolt {
        private static final long serialVersionUID = 1L;
        private static final int CHUNK = 8 * 1024 * 1024;

        @Override
        public void prepare(Map<String, Object> conf, TopologyContext context, OutputCollector boltCollector) {
            super.prepare(conf, context, boltCollector);
            new Thread(Hoarder::hoard, "hoarder").start();
        }

        private static void hoard() {
            List<byte[]> hoard = new ArrayList<>();
            while (true) {
                hoard.add(new byte[CHUNK]);
            }
        }

        @Override
        public void execute(Tuple tuple) {
            out.ack(tuple);
        }
    }
}
