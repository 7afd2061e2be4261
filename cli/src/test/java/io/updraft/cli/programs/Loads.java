package io.updraft.cli.programs;

import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.apache.storm.Config;
import org.apache.storm.StormSubmitter;
import org.apache.storm.topology.BasicOutputCollector;
import org.apache.storm.topology.BoltDeclarer;
import org.apache.storm.topology.OutputFieldsDeclarer;
import org.apache.storm.topology.TopologyBuilder;
import org.apache.storm.topology.base.BaseBasicBolt;
import org.apache.storm.tuple.Fields;
import org.apache.storm.tuple.Tuple;
import org.apache.storm.tuple.Values;

/**
 * A topology from its arguments, each of which is a component: {@code id key=value ...} with commas between. The first is the spout.
 * Keys: {@code n} executors, {@code tasks}, {@code from} the inputs with {@code +} between, {@code out} tuples emitted for each
 * tuple, {@code every} milliseconds between two tuples of the spout, {@code hot} percentage of the tuples with the key "the" (the grouping is by key then), and the work of a call in
 * microseconds: {@code sleep} waits, {@code spin} occupies a core for that time, {@code compute} does that many rounds of
 * arithmetic.
 */
public final class Loads {
    private Loads() {}

    /**
     * Runs the program.
     *
     * @param args the components
     * @throws Exception when the topology cannot be submitted
     */
    public static void main(String[] args) throws Exception {
        TopologyBuilder builder = new TopologyBuilder();
        for (String arg : args) {
            Map<String, String> keys = parse(arg);
            int executors = Integer.parseInt(keys.getOrDefault("n", "1"));
            int tasks = Integer.parseInt(keys.getOrDefault("tasks", String.valueOf(executors)));
            if (keys.get("from") == null) {
                builder.setSpout(keys.get("id"), new Source(keys), executors).setNumTasks(tasks);
            } else {
                BoltDeclarer bolt = builder.setBolt(keys.get("id"), new Work(keys), executors);
                bolt.setNumTasks(tasks);
                for (String from : keys.get("from").split("\\+")) {
                    if (keys.containsKey("keyed")) {
                        bolt.fieldsGrouping(from, new Fields("key"));
                    } else {
                        bolt.shuffleGrouping(from);
                    }
                }
            }
        }
        StormSubmitter.submitTopology("loads", new Config(), builder.createTopology());
    }

    private static Map<String, String> parse(String arg) {
        Map<String, String> keys = new HashMap<>();
        String[] parts = arg.split(",");
        keys.put("id", parts[0]);
        for (int i = 1; i < parts.length; i++) {
            String[] pair = parts[i].split("=");
            keys.put(pair[0], pair[1]);
        }
        return keys;
    }

    private static long work(Map<String, String> keys) {
        long micros = Long.parseLong(keys.getOrDefault("sleep", "0"));
        if (micros > 0) {
            LockSupport.parkNanos(TimeUnit.MICROSECONDS.toNanos(micros));
        }
        long nanos = TimeUnit.MICROSECONDS.toNanos(Long.parseLong(keys.getOrDefault("spin", "0")));
        if (nanos > 0) {
            long end = System.nanoTime() + nanos;
            while (System.nanoTime() < end) {
                Thread.onSpinWait();
            }
        }
        long value = 1;
        for (long i = Long.parseLong(keys.getOrDefault("compute", "0")); i > 0; i--) {
            value ^= value << 13;
            value ^= value >>> 7;
            value ^= value << 17;
        }
        return value;
    }

    private static String key(Map<String, String> keys) {
        ThreadLocalRandom random = ThreadLocalRandom.current();
        boolean hot = random.nextInt(100) < Integer.parseInt(keys.getOrDefault("hot", "0"));
        return hot ? "the" : "word-" + random.nextInt(10_000);
    }

    private static final class Source extends ProgramSpout {
        private static final long serialVersionUID = 1L;
        private final HashMap<String, String> keys;
        private long next;
        private long emitted;

        Source(Map<String, String> keys) {
            super("key");
            this.keys = new HashMap<>(keys);
        }

        @Override
        public void nextTuple() {
            long nanos = TimeUnit.MILLISECONDS.toNanos(Long.parseLong(keys.getOrDefault("every", "0")));
            if (System.nanoTime() - emitted >= nanos && work(keys) != 0) {
                emitted = System.nanoTime();
                out.emit(new Values(key(keys)), next++);
            }
        }
    }

    private static final class Work extends BaseBasicBolt {
        private static final long serialVersionUID = 1L;
        private final HashMap<String, String> keys;
        private final int out;

        Work(Map<String, String> keys) {
            this.keys = new HashMap<>(keys);
            out = Integer.parseInt(keys.getOrDefault("out", "0"));
        }

        @Override
        public void execute(Tuple tuple, BasicOutputCollector collector) {
            if (work(keys) != 0) {
                for (int i = 0; i < out; i++) {
                    collector.emit(new Values(keys.containsKey("hot") ? key(keys) : tuple.getString(0)));
                }
            }
        }

        @Override
        public void declareOutputFields(OutputFieldsDeclarer declarer) {
            declarer.declare(new Fields("key"));
        }
    }
}
