package com.acme;

import com.codahale.metrics.Counter;
import com.codahale.metrics.MetricRegistry;
import com.esotericsoftware.kryo.Kryo;
import com.esotericsoftware.kryo.Serializer;
import com.esotericsoftware.kryo.io.Input;
import com.esotericsoftware.kryo.io.Output;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.storm.Config;
import org.apache.storm.StormSubmitter;
import org.apache.storm.generated.SubmitOptions;
import org.apache.storm.generated.TopologyInitialStatus;
import org.apache.storm.hooks.BaseTaskHook;
import org.apache.storm.hooks.BaseWorkerHook;
import org.apache.storm.hooks.info.BoltAckInfo;
import org.apache.storm.hooks.info.EmitInfo;
import org.apache.storm.hooks.info.SpoutAckInfo;
import org.apache.storm.metric.IEventLogger;
import org.apache.storm.metric.api.CountMetric;
import org.apache.storm.metric.api.IMetricsConsumer;
import org.apache.storm.metrics2.reporters.StormReporter;
import org.apache.storm.serialization.IKryoDecorator;
import org.apache.storm.serialization.types.ListDelegateSerializer;
import org.apache.storm.spout.CheckPointState;
import org.apache.storm.spout.SpoutOutputCollector;
import org.apache.storm.state.KeyValueState;
import org.apache.storm.task.IErrorReporter;
import org.apache.storm.task.OutputCollector;
import org.apache.storm.task.TopologyContext;
import org.apache.storm.task.WorkerUserContext;
import org.apache.storm.topology.OutputFieldsDeclarer;
import org.apache.storm.topology.TopologyBuilder;
import org.apache.storm.topology.base.BaseRichBolt;
import org.apache.storm.topology.base.BaseRichSpout;
import org.apache.storm.topology.base.BaseStatefulBolt;
import org.apache.storm.tuple.Fields;
import org.apache.storm.tuple.Tuple;
import org.apache.storm.tuple.Values;
import org.apache.storm.utils.ListDelegate;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A program whose classes are only in its jar. Its topology uses all hooks and instruments of components, and records their
 * calls in files of one directory.
 */
public class Contract {
    static final String DIRECTORY = "acme.directory";
    static final String WORKING = "acme.working";
    static final int KEYS = 10;

    /** In each worker: components that are open. */
    static final AtomicInteger OPEN = new AtomicInteger();

    static volatile boolean workerHookRuns;

    public static void main(String[] args) throws Exception {
        TopologyBuilder builder = new TopologyBuilder();
        builder.addWorkerHook(new WorkerHook());
        builder.setSpout("numbers", new Numbers(), 2);
        builder.setBolt("pass", new Pass(), 2).fieldsGrouping("numbers", new Fields("key"));
        // Keys of one task of "pass" go to both.
        builder.setBolt("sum", new Sum(), 2).fieldsGrouping("pass", new Fields("number"));
        Config conf = new Config();
        conf.put(DIRECTORY, args[0]);
        conf.put(WORKING, args[1]);
        conf.setMaxSpoutPending(200);
        conf.put(Config.TOPOLOGY_STATE_CHECKPOINT_INTERVAL, 200);
        conf.put(Config.TOPOLOGY_STATS_SAMPLE_RATE, 1.0);
        conf.put(Config.TOPOLOGY_FALL_BACK_ON_JAVA_SERIALIZATION, false);
        conf.registerSerialization(Reading.class, ReadingSerializer.class);
        conf.registerSerialization(CheckPointState.Action.class);
        conf.registerDecorator(Marks.class);
        conf.put(Config.TOPOLOGY_TUPLE_SERIALIZER, Lists.class.getName());
        conf.put(Config.TOPOLOGY_AUTO_TASK_HOOKS, List.of(Hook.class.getName()));
        conf.put(
                Config.TOPOLOGY_METRICS_CONSUMER_REGISTER,
                List.of(Map.of("class", Consumer.class.getName(), "argument", args[0], "parallelism.hint", 1)));
        conf.put(Config.TOPOLOGY_METRICS_REPORTERS, List.of(Map.of("class", Reporter.class.getName())));
        conf.put(Config.TOPOLOGY_ENABLE_V2_METRICS_TICK, true);
        conf.put(Config.TOPOLOGY_V2_METRICS_TICK_INTERVAL_SECONDS, 1);
        // Config's own methods name nested classes as nobody finds them.
        conf.put(Config.TOPOLOGY_EVENT_LOGGER_REGISTER, List.of(Map.of("class", Events.class.getName())));
        conf.setNumEventLoggers(1);
        conf.setNumWorkers(2);
        StormSubmitter.submitTopology(
                "contract", conf, builder.createTopology(), new SubmitOptions(TopologyInitialStatus.INACTIVE));
    }

    static synchronized void write(Object directory, String name, String line) {
        try {
            Files.writeString(
                    Path.of(String.valueOf(directory), name),
                    line + "\n",
                    StandardOpenOption.CREATE,
                    StandardOpenOption.APPEND);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    static void opened(String component) {
        if (!workerHookRuns) {
            throw new IllegalStateException(component + " is opened before its worker's hook has started");
        }
        OPEN.incrementAndGet();
    }

    /** Not Serializable; only its serializer can make one. */
    public static final class Reading {
        final long number;

        Reading(long number) {
            this.number = number;
        }

        @Override
        public String toString() {
            return "reading " + number;
        }

        @Override
        public boolean equals(Object other) {
            return other instanceof Reading && ((Reading) other).number == number;
        }

        @Override
        public int hashCode() {
            return Long.hashCode(number);
        }
    }

    public static final class ReadingSerializer extends Serializer<Reading> {
        @Override
        public void write(Kryo kryo, Output output, Reading reading) {
            output.writeLong(reading.number ^ 0x5a5a);
        }

        @Override
        public Reading read(Kryo kryo, Input input, Class<? extends Reading> type) {
            return new Reading(input.readLong() ^ 0x5a5a);
        }
    }

    /** Only the decorator registers it. */
    public static final class Mark {
        int written;
    }

    public static final class Marks implements IKryoDecorator {
        @Override
        public void decorate(Kryo kryo) {
            kryo.register(Mark.class, new Serializer<Mark>() {
                @Override
                public void write(Kryo same, Output output, Mark mark) {
                    output.writeInt(mark.written + 1);
                }

                @Override
                public Mark read(Kryo same, Input input, Class<? extends Mark> type) {
                    Mark mark = new Mark();
                    mark.written = input.readInt();
                    return mark;
                }
            });
        }
    }

    /** Puts a sign before the values of each tuple. */
    public static final class Lists extends ListDelegateSerializer {
        static volatile boolean read;

        @Override
        public void write(Kryo kryo, Output output, ListDelegate values) {
            output.writeInt(4711);
            super.write(kryo, output, values);
        }

        @Override
        public ListDelegate read(Kryo kryo, Input input, Class<? extends ListDelegate> type) {
            if (input.readInt() != 4711) {
                throw new IllegalStateException("somebody else has written this tuple");
            }
            read = true;
            return super.read(kryo, input, type);
        }
    }

    public interface Pluggable {
        String name();
    }

    public static final class Numbers extends BaseRichSpout {
        private transient Map<String, Object> conf;
        private transient TopologyContext context;
        private transient SpoutOutputCollector out;
        private transient CountMetric emitted;
        private transient Counter counted;
        private long next;
        private long acked;
        private boolean told;

        @Override
        @SuppressWarnings("deprecation")
        public void open(Map<String, Object> stormConf, TopologyContext topology, SpoutOutputCollector collector) {
            opened("numbers");
            conf = stormConf;
            context = topology;
            out = collector;
            next = context.getThisTaskIndex();
            emitted = context.registerMetric("emitted", new CountMetric(), 1);
            counted = context.registerCounter("counted");
        }

        @Override
        public void nextTuple() {
            if (Files.exists(Path.of(String.valueOf(conf.get(DIRECTORY)), "stop"))) {
                // What stateful bolts have taken is acked by the next checkpoint.
                if (!told && acked == counted.getCount()) {
                    told = true;
                    write(conf.get(DIRECTORY), "all-acked", String.valueOf(context.getThisTaskId()));
                }
                return;
            }
            long number = next;
            next += 2;
            out.emit(new Values("key-" + number % KEYS, new Reading(number), new Mark()), number);
            emitted.incr();
            counted.inc();
        }

        @Override
        public void ack(Object id) {
            acked++;
        }

        @Override
        public void deactivate() {
            write(conf.get(DIRECTORY), "paused", context.getThisTaskIndex() + " " + next);
        }

        @Override
        public void close() {
            OPEN.decrementAndGet();
            write(conf.get(DIRECTORY), "spout", context.getThisTaskId() + " " + counted.getCount() + " " + acked);
        }

        @Override
        public void declareOutputFields(OutputFieldsDeclarer declarer) {
            declarer.declare(new Fields("key", "number", "mark"));
        }
    }

    public static final class Pass extends BaseRichBolt {
        private static final Logger TALKATIVE = LoggerFactory.getLogger("com.acme.talkative");

        private transient Map<String, Object> conf;
        private transient TopologyContext context;
        private transient OutputCollector out;
        private boolean talkative;
        private int mostWritten;

        @Override
        public void prepare(Map<String, Object> stormConf, TopologyContext topology, OutputCollector collector) {
            opened("pass");
            conf = stormConf;
            context = topology;
            out = collector;
            try {
                String found = Files.readString(Path.of(String.valueOf(conf.get(WORKING)), "words.txt"))
                        + " " + Files.readString(Path.of(String.valueOf(conf.get(WORKING)), "model", "weights.txt"))
                        + " " + ((Pluggable) Class.forName("com.extra.Plugin").getConstructor().newInstance()).name()
                        + " " + new String(Thread.currentThread()
                                .getContextClassLoader()
                                .getResourceAsStream("settings.txt")
                                .readAllBytes())
                        + " " + context.getBlobToLastKnownVersion().keySet().size();
                write(conf.get(DIRECTORY), "found", found);
            } catch (IOException | ReflectiveOperationException e) {
                throw new IllegalStateException(e);
            }
        }

        @Override
        public void execute(Tuple input) {
            if (talkative != TALKATIVE.isDebugEnabled()) {
                talkative = !talkative;
                write(conf.get(DIRECTORY), "levels", context.getThisTaskId() + (talkative ? " debug" : " quiet"));
            }
            mostWritten = Math.max(mostWritten, ((Mark) input.getValue(2)).written);
            out.emit(input, new Values(input.getValue(0), input.getValue(1)));
            out.ack(input);
        }

        @Override
        public void cleanup() {
            OPEN.decrementAndGet();
            write(conf.get(DIRECTORY), "serialized", context.getThisTaskId() + " " + mostWritten + " " + Lists.read);
        }

        @Override
        public void declareOutputFields(OutputFieldsDeclarer declarer) {
            declarer.declare(new Fields("key", "number"));
        }
    }

    public static final class Sum extends BaseStatefulBolt<KeyValueState<String, Long>> {
        private transient Map<String, Object> conf;
        private transient OutputCollector out;
        private transient KeyValueState<String, Long> state;

        @Override
        public void prepare(Map<String, Object> stormConf, TopologyContext context, OutputCollector collector) {
            opened("sum");
            conf = stormConf;
            out = collector;
        }

        @Override
        public void initState(KeyValueState<String, Long> restored) {
            state = restored;
        }

        @Override
        public void execute(Tuple input) {
            String key = input.getStringByField("key");
            state.put(key, state.get(key, 0L) + 1);
            out.ack(input);
        }

        @Override
        public void cleanup() {
            OPEN.decrementAndGet();
            Map<String, Long> sums = new TreeMap<>();
            for (Map.Entry<String, Long> each : state) {
                sums.put(each.getKey(), each.getValue());
            }
            sums.forEach((key, sum) -> write(conf.get(DIRECTORY), "sums", key + " " + sum));
        }

        @Override
        public void declareOutputFields(OutputFieldsDeclarer declarer) {}
    }

    /** One for each task. */
    public static final class Hook extends BaseTaskHook {
        private Map<String, Object> conf;
        private TopologyContext context;
        private final AtomicInteger emitted = new AtomicInteger();
        private final AtomicInteger acked = new AtomicInteger();

        @Override
        public void prepare(Map<String, Object> stormConf, TopologyContext topology) {
            conf = stormConf;
            context = topology;
        }

        @Override
        public void emit(EmitInfo info) {
            // Checkpoints have a stream of their own.
            if (info.stream.equals("default")) {
                emitted.incrementAndGet();
            }
        }

        @Override
        public void spoutAck(SpoutAckInfo info) {
            acked.incrementAndGet();
        }

        @Override
        public void boltAck(BoltAckInfo info) {
            if (info.tuple.getSourceStreamId().equals("default")) {
                acked.incrementAndGet();
            }
        }

        @Override
        public void cleanup() {
            write(
                    conf.get(DIRECTORY),
                    "hooks",
                    context.getThisComponentId() + " " + context.getThisTaskId() + " " + emitted + " " + acked);
        }
    }

    public static final class WorkerHook extends BaseWorkerHook {
        private transient Map<String, Object> conf;
        private transient int port;

        @Override
        public void start(Map<String, Object> stormConf, WorkerUserContext context) {
            conf = stormConf;
            port = context.getThisWorkerPort();
            workerHookRuns = true;
            write(conf.get(DIRECTORY), "worker-hooks", port + " starts before " + OPEN + " components");
        }

        @Override
        public void shutdown() {
            write(conf.get(DIRECTORY), "worker-hooks", port + " ends after " + OPEN + " components");
        }
    }

    public static final class Events implements IEventLogger {
        private Map<String, Object> conf;

        @Override
        public void prepare(Map<String, Object> stormConf, Map<String, Object> arguments, TopologyContext context) {
            conf = stormConf;
        }

        @Override
        public void log(EventInfo event) {
            if (!(event.getValues().get(1) instanceof Reading)) {
                return;
            }
            write(
                    conf.get(DIRECTORY),
                    "events",
                    event.getComponent() + " " + event.getTask() + " " + event.getValues().get(1));
        }

        @Override
        public void close() {}
    }

    public static final class Consumer implements IMetricsConsumer {
        private Object directory;

        @Override
        public void prepare(
                Map<String, Object> conf, Object argument, TopologyContext context, IErrorReporter errorReporter) {
            directory = argument;
        }

        @Override
        public void handleDataPoints(TaskInfo task, Collection<DataPoint> points) {
            for (DataPoint point : points) {
                write(
                        directory,
                        "points",
                        task.srcWorkerHost + " " + task.srcWorkerPort + " " + task.srcComponentId + " " + task.srcTaskId
                                + " " + point.name + " " + point.value);
            }
        }

        @Override
        public void cleanup() {}
    }

    public static final class Reporter implements StormReporter {
        private MetricRegistry registry;
        private Map<String, Object> conf;

        @Override
        @SuppressWarnings("deprecation")
        public void prepare(MetricRegistry metrics, Map<String, Object> stormConf, Map<String, Object> reporterConf) {
            registry = metrics;
            conf = stormConf;
        }

        @Override
        public void start() {}

        @Override
        public void stop() {
            registry.getCounters().forEach((name, counter) -> {
                if (name.endsWith("counted")) {
                    write(conf.get(DIRECTORY), "reported", name + " " + counter.getCount());
                }
            });
        }

        @Override
        public void close() {}
    }
}
