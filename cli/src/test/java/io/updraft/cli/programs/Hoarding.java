package io.updraft.cli.programs;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.apache.storm.task.OutputCollector;
import org.apache.storm.task.TopologyContext;
import org.apache.storm.tuple.Tuple;

/** Emits numbers without end. The sink keeps objects until the memory is full. */
public final class Hoarding {
    private Hoarding() {}

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
        private transient List<byte[]> hoard;

        @Override
        public void prepare(Map<String, Object> conf, TopologyContext context, OutputCollector collector) {
            hoard = new ArrayList<>();
        }

        @Override
        public void execute(Tuple tuple) {
            hoard.add(new byte[CHUNK]);
        }
    }
}
