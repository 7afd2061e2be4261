package io.updraft.plugin;

import com.codahale.metrics.MetricRegistry;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;
import org.apache.storm.Config;
import org.apache.storm.Constants;
import org.apache.storm.ICredentialsListener;
import org.apache.storm.StormSubmitter;
import org.apache.storm.generated.SubmitOptions;
import org.apache.storm.generated.TopologyInitialStatus;
import org.apache.storm.hooks.BaseTaskHook;
import org.apache.storm.hooks.IWorkerHook;
import org.apache.storm.metric.api.CountMetric;
import org.apache.storm.metrics2.reporters.StormReporter;
import org.apache.storm.spout.SpoutOutputCollector;
import org.apache.storm.task.OutputCollector;
import org.apache.storm.task.TopologyContext;
import org.apache.storm.task.WorkerUserContext;
import org.apache.storm.topology.OutputFieldsDeclarer;
import org.apache.storm.topology.TopologyBuilder;
import org.apache.storm.topology.base.BaseRichBolt;
import org.apache.storm.topology.base.BaseRichSpout;
import org.apache.storm.tuple.Fields;
import org.apache.storm.tuple.Tuple;
import org.apache.storm.tuple.Values;
import org.slf4j.LoggerFactory;

/** A program that records all information that its worker gives it, to compare Storm's worker with ours. */
@SuppressWarnings("serial")
public final class ApiFeatureTopology {
    static final String LOGGER = "com.acme.talkative";
    static final String TO_NOTE = "acme.directory";
    static final String BLOB = "probe-blob";

    private ApiFeatureTopology() {}

    /** Submits it: name, directory of the facts, number of messages. */
    public static void main(String[] args) throws Exception {
        String directory = args[1];
        TopologyBuilder builder = new TopologyBuilder();
        builder.setSpout("source", new Source(directory, Integer.parseInt(args[2])));
        builder.setBolt("probe", new Probe(directory), 2)
                .setNumTasks(3)
                .addConfiguration(Config.TOPOLOGY_TICK_TUPLE_FREQ_SECS, 1)
                .fieldsGrouping("source", new Fields("number"));
        builder.setBolt("last", new Last()).shuffleGrouping("probe");
        builder.addWorkerHook(new Hook(directory));
        Config conf = new Config();
        conf.put(TO_NOTE, directory);
        conf.setNumWorkers(2);
        conf.setStatsSampleRate(1.0);
        // What Storm's worker sends to a metrics consumer in another worker has such a map in it, and ends the worker
        // otherwise.
        conf.put(Config.TOPOLOGY_KRYO_REGISTER, List.of("java.util.Collections$EmptyMap"));
        conf.setNumEventLoggers(1);
        conf.registerEventLogger(RecordingEventLogger.class, new HashMap<>(Map.of(TO_NOTE, directory)));
        conf.registerMetricsConsumer(RecordingMetricsConsumer.class, directory, 1);
        conf.put(Config.TOPOLOGY_METRICS_REPORTERS, List.of(Map.of("class", Reporter.class.getName())));
        conf.put(Config.TOPOLOGY_AUTO_TASK_HOOKS, List.of(TaskHook.class.getName()));
        conf.put(Config.TOPOLOGY_BLOBSTORE_MAP, Map.of(BLOB, Map.of("localname", "blob.txt", "uncompress", false)));
        StormSubmitter.submitTopology(
                args[0], conf, builder.createTopology(), new SubmitOptions(TopologyInitialStatus.INACTIVE));
    }

    private static void noteContext(String directory, TopologyContext context) {
        String file = "context-" + context.getThisComponentId() + "-" + context.getThisTaskId();
        Map<String, Object> facts = new TreeMap<>();
        facts.put("index", context.getThisTaskIndex());
        facts.put("tasks", new TreeMap<>(context.getTaskToComponent()));
        facts.put("components", new TreeSet<>(context.getComponentIds()));
        facts.put("sources", new TreeMap<>(context.getThisSources()));
        facts.put("targets", new TreeMap<>(context.getThisTargets()).keySet());
        facts.put("streams", new TreeSet<>(context.getThisStreams()));
        facts.put("fields", context.getThisOutputFields("default"));
        facts.put("own task in worker", context.getThisWorkerTasks().contains(context.getThisTaskId()));
        facts.put("worker's tasks", new TreeSet<>(context.getThisWorkerTasks()).size() > 1);
        facts.put("a slot's port", context.getThisWorkerPort() > 10_000);
        facts.put("shared executor", context.getSharedExecutor() != null);
        facts.put("resource", readResource(context));
        facts.put("blob", readFile(Path.of("blob.txt")));
        facts.put("hook's resource", context.getResource("acme"));
        facts.put("resource of the worker's hook", System.getProperty("acme.hook"));
        facts.forEach((key, value) -> WorkerRecords.note(directory, file, key + ": " + value));
    }

    private static String readResource(TopologyContext context) {
        return readFile(Path.of(context.getCodeDir(), "hello.txt"));
    }

    private static String readFile(Path file) {
        try {
            return Files.readString(file).strip();
        } catch (IOException e) {
            return "none";
        }
    }

    /** Emits so many numbers and then waits; notes what becomes of its activation. */
    static final class Source extends BaseRichSpout implements ICredentialsListener {
        private final String directory;
        private final int messages;
        private transient SpoutOutputCollector collector;
        private transient int next;

        Source(String directory, int messages) {
            this.directory = directory;
            this.messages = messages;
        }

        @Override
        public void open(Map<String, Object> conf, TopologyContext context, SpoutOutputCollector spoutCollector) {
            collector = spoutCollector;
            noteContext(directory, context);
        }

        @Override
        public void nextTuple() {
            if (next < messages) {
                collector.emit(new Values(next, "n" + next), next);
                next++;
            }
        }

        @Override
        public void ack(Object number) {
            WorkerRecords.note(directory, "acked-" + ProcessHandle.current().pid(), number);
        }

        @Override
        public void fail(Object number) {
            collector.emit(new Values(number, "n" + number), number);
        }

        @Override
        public void activate() {
            WorkerRecords.note(directory, "activation", "activated");
        }

        @Override
        public void deactivate() {
            WorkerRecords.note(directory, "activation", "deactivated");
        }

        @Override
        public void close() {
            WorkerRecords.note(directory, "ended", "source");
        }

        @Override
        public void setCredentials(Map<String, String> credentials) {
            WorkerRecords.note(directory, "credentials-source", credentials);
        }

        @Override
        public void declareOutputFields(OutputFieldsDeclarer declarer) {
            declarer.declare(new Fields("number", "text"));
        }
    }

    /** Notes its context, ticks, errors and loggers. */
    static final class Probe extends BaseRichBolt implements ICredentialsListener {
        private final String directory;
        private transient OutputCollector collector;
        private transient String name;
        private transient CountMetric older;
        private transient com.codahale.metrics.Counter newer;
        private transient boolean ticked;
        private transient Boolean debug;
        private transient TopologyContext context;
        private transient Map<String, Long> versions;

        Probe(String directory) {
            this.directory = directory;
        }

        @Override
        @SuppressWarnings("deprecation") // Storm's older metrics are part of its contract
        public void prepare(Map<String, Object> conf, TopologyContext taskContext, OutputCollector boltCollector) {
            collector = boltCollector;
            context = taskContext;
            versions = Map.of();
            name = context.getThisComponentId() + "-" + context.getThisTaskId();
            noteContext(directory, context);
            older = context.registerMetric("older", new CountMetric(), 1);
            newer = context.registerCounter("newer");
        }

        @Override
        public void execute(Tuple tuple) {
            if (tuple.getSourceComponent().equals(Constants.SYSTEM_COMPONENT_ID)) {
                noteTick(tuple);
                noteLogger();
                noteBlobs();
            } else {
                older.incr();
                newer.inc();
                if (tuple.getInteger(0) == 0) {
                    collector.reportError(new IllegalStateException("number 0 was seen"));
                }
                collector.emit(tuple, new Values(tuple.getInteger(0)));
            }
            collector.ack(tuple);
        }

        private void noteTick(Tuple tuple) {
            if (!ticked) {
                ticked = true;
                WorkerRecords.note(directory, "tick-" + name, tuple.getSourceStreamId() + " " + tuple.getValues());
            }
        }

        private void noteLogger() {
            boolean now = LoggerFactory.getLogger(LOGGER).isDebugEnabled();
            if (debug == null || debug != now) {
                debug = now;
                WorkerRecords.note(directory, "debug-" + name, now);
            }
        }

        private void noteBlobs() {
            if (!context.getBlobToLastKnownVersion().equals(versions)) {
                versions = new HashMap<>(context.getBlobToLastKnownVersion());
                WorkerRecords.note(directory, "blobs-" + name, versions.keySet());
            }
        }

        @Override
        public void cleanup() {
            WorkerRecords.note(directory, "ended", "probe");
        }

        @Override
        public void setCredentials(Map<String, String> credentials) {
            WorkerRecords.note(directory, "credentials-probe-" + System.identityHashCode(this), credentials);
        }

        @Override
        public void declareOutputFields(OutputFieldsDeclarer declarer) {
            declarer.declare(new Fields("number"));
        }
    }

    /** Acks. */
    static final class Last extends BaseRichBolt {
        private transient OutputCollector collector;

        @Override
        public void prepare(Map<String, Object> conf, TopologyContext context, OutputCollector boltCollector) {
            collector = boltCollector;
        }

        @Override
        public void execute(Tuple tuple) {
            collector.ack(tuple);
        }

        @Override
        public void declareOutputFields(OutputFieldsDeclarer declarer) {}
    }

    /** Starts and ends with the worker. */
    static final class Hook implements IWorkerHook {
        private final String directory;

        Hook(String directory) {
            this.directory = directory;
        }

        @Override
        public void start(Map<String, Object> conf, WorkerUserContext context) {
            context.setResource("acme", "a resource of the hook");
            System.setProperty("acme.hook", "started");
            WorkerRecords.note(
                    directory,
                    "hook-" + context.getThisWorkerPort(),
                    "started; pids " + Path.of(context.getPIDDir()).getFileName() + "; supervisor "
                            + (context.getAssignmentId() != null) + "; hosts "
                            + new TreeSet<>(context.getNodeToHost().get().values()) + "; code "
                            + Path.of(context.getCodeDir()).getFileName());
        }

        @Override
        public void shutdown() {
            WorkerRecords.note(directory, "ended", "hook");
        }
    }

    /** Counts for itself: every task has one. */
    public static final class TaskHook extends BaseTaskHook {
        @Override
        public void prepare(Map<String, Object> conf, TopologyContext context) {
            if (!context.getThisComponentId().startsWith("__")) {
                WorkerRecords.note(
                        String.valueOf(conf.get(TO_NOTE)),
                        "taskhook-" + context.getThisTaskId(),
                        context.getThisComponentId());
            }
        }
    }

    /** Metrics of the second kind. */
    public static final class Reporter implements StormReporter {
        private MetricRegistry registry;
        private String directory;

        @Override
        @SuppressWarnings("deprecation") // it is the abstract one
        public void prepare(MetricRegistry metrics, Map<String, Object> conf, Map<String, Object> reporter) {
            registry = metrics;
            directory = String.valueOf(conf.get(TO_NOTE));
        }

        @Override
        public void start() {
            registry.addListener(new com.codahale.metrics.MetricRegistryListener.Base() {
                @Override
                public void onCounterAdded(String name, com.codahale.metrics.Counter counter) {
                    if (name.contains("newer")) {
                        WorkerRecords.note(
                                directory, "reported-" + ProcessHandle.current().pid(), "newer");
                    }
                }
            });
        }

        @Override
        public void stop() {
            WorkerRecords.note(directory, "ended", "reporter");
        }

        @Override
        public void close() {}
    }
}
