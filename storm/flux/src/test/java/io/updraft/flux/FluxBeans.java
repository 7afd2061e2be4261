package io.updraft.flux;

import java.io.Serializable;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.storm.generated.GlobalStreamId;
import org.apache.storm.generated.StormTopology;
import org.apache.storm.grouping.CustomStreamGrouping;
import org.apache.storm.task.OutputCollector;
import org.apache.storm.task.TopologyContext;
import org.apache.storm.task.WorkerTopologyContext;
import org.apache.storm.testing.TestWordSpout;
import org.apache.storm.topology.OutputFieldsDeclarer;
import org.apache.storm.topology.TopologyBuilder;
import org.apache.storm.topology.base.BaseRichBolt;
import org.apache.storm.topology.base.BaseWindowedBolt;
import org.apache.storm.tuple.Tuple;
import org.apache.storm.windowing.TupleWindow;

/** Objects that descriptions create. They record their arguments, and are part of the serialized topology. */
@SuppressWarnings("serial")
public final class FluxBeans {
    private FluxBeans() {}

    /** Sizes. */
    public enum Unit {
        KB,
        MB
    }

    /** A component with everything that can be configured. */
    public static final class Settings implements Serializable {
        /** A public field. */
        public int retries;

        private final List<String> log = new ArrayList<>();

        /** Without anything. */
        public Settings() {
            log.add("()");
        }

        /** With numbers of other types than YAML's. */
        public Settings(String name, long size, float share, Unit unit) {
            log.add(name + " " + size + " " + share + " " + unit);
        }

        /** With an array. */
        public Settings(String[] words, int[] numbers) {
            log.add(String.join("+", words) + " " + numbers.length);
        }

        /** A factory. */
        public static Settings named(String name) {
            return new Settings(name, 1, 2, Unit.KB);
        }

        /** A property. */
        public void setLimit(double limit) {
            log.add("limit " + limit);
        }

        /** A property that is a component. */
        public void setParent(Settings parent) {
            log.add("parent " + parent.log);
        }

        /** A configuration method. */
        public Settings withAll(List<Settings> others, boolean strict) {
            others.forEach(other -> log.add("all " + other.log + strict));
            return this;
        }

        List<String> log() {
            List<String> all = new ArrayList<>(log);
            all.add("retries " + retries);
            return all;
        }
    }

    /** A bolt. */
    public static class Bolt extends BaseRichBolt {
        private final Settings settings;

        /** With settings. */
        public Bolt(Settings settings) {
            this.settings = settings;
        }

        Settings settings() {
            return settings;
        }

        @Override
        public void prepare(Map<String, Object> conf, TopologyContext context, OutputCollector collector) {}

        @Override
        public void execute(Tuple input) {}

        @Override
        public void declareOutputFields(OutputFieldsDeclarer declarer) {}
    }

    /** A bolt with windows. */
    public static final class Windowed extends BaseWindowedBolt {
        @Override
        public void execute(TupleWindow window) {}
    }

    /** A grouping. */
    public static final class First implements CustomStreamGrouping {
        private final int number;

        /** With a number. */
        public First(int number) {
            this.number = number;
        }

        @Override
        public void prepare(WorkerTopologyContext context, GlobalStreamId stream, List<Integer> targetTasks) {}

        @Override
        public List<Integer> chooseTasks(int taskId, List<Object> values) {
            return List.of(number);
        }
    }

    /** Makes a whole topology. */
    public static final class Source {
        private final String id;

        /** With the spout's name. */
        public Source(String id) {
            this.id = id;
        }

        /** Another name than the default one. */
        public StormTopology make(Map<String, Object> config) {
            TopologyBuilder builder = new TopologyBuilder();
            builder.setSpout(id, new TestWordSpout(), new HashMap<>(config).size());
            return builder.createTopology();
        }
    }

    /** Cannot be made. */
    public static final class Failing {
        /** Fails. */
        public Failing() {
            throw new IllegalStateException("no such queue");
        }
    }
}
