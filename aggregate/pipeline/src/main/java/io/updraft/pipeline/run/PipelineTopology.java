package io.updraft.pipeline.run;

import io.updraft.base.record.Chunk;
import io.updraft.pipeline.connector.PartitionPosition;
import io.updraft.pipeline.connector.RecordSource;
import io.updraft.pipeline.connector.SinkException;
import io.updraft.pipeline.connector.SourceException;
import io.updraft.timeseries.aggregate.BudgetPart;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.storm.Config;
import org.apache.storm.Thrift;
import org.apache.storm.generated.Bolt;
import org.apache.storm.generated.ComponentCommon;
import org.apache.storm.generated.ComponentObject;
import org.apache.storm.generated.GlobalStreamId;
import org.apache.storm.generated.Grouping;
import org.apache.storm.generated.JavaObject;
import org.apache.storm.generated.SpoutSpec;
import org.apache.storm.generated.StormTopology;
import org.apache.storm.generated.StreamInfo;
import org.apache.storm.spout.ISpout;
import org.apache.storm.spout.SpoutOutputCollector;
import org.apache.storm.task.IBolt;
import org.apache.storm.task.OutputCollector;
import org.apache.storm.task.TopologyContext;
import org.apache.storm.tuple.Tuple;
import org.apache.storm.tuple.Values;
import org.apache.storm.utils.TupleUtils;
import org.apache.storm.utils.Utils;

/** The topology of a run: its components and their connections. */
final class PipelineTopology {

    private static final String SOURCE = "source-0";
    private static final int TICK_SECS = 1;

    private PipelineTopology() {}

    /** Returns the component that receives the events of the source. */
    static String workers(RunPlan plan) {
        return plan instanceof RunPlan.Routing ? "route" : "aggregate";
    }

    /** Returns the topology as Storm's builder makes it. The builder itself would read all of Storm's defaults. */
    static StormTopology of(RunPlan plan) {
        String workers = workers(plan);
        boolean routes = plan instanceof RunPlan.Routing;
        Map<String, Bolt> bolts = new HashMap<>();
        bolts.put(
                workers,
                bolt(
                        routes ? RouteTaskBolt.class : AggregateTaskBolt.class,
                        routes ? List.of() : List.of("output", "bytes"),
                        SOURCE,
                        Thrift.prepareDirectGrouping(),
                        plan.settings().parallelism()));
        if (!routes) {
            bolts.put("write", bolt(WriteTaskBolt.class, List.of(), workers, Thrift.prepareGlobalGrouping(), 1));
        }
        Map<String, StreamInfo> streams = Map.of(Utils.DEFAULT_STREAM_ID, Thrift.directOutputFields(List.of("input")));
        ComponentCommon common = Thrift.prepareComponentCommon(Map.of(), streams, 1);
        return new StormTopology(Map.of(SOURCE, new SpoutSpec(component(SourceSpout.class), common)), bolts, Map.of());
    }

    private static Bolt bolt(
            Class<? extends TaskBolt> bolt, List<String> fields, String input, Grouping grouping, int tasks) {
        GlobalStreamId stream = new GlobalStreamId(input, Utils.DEFAULT_STREAM_ID);
        Map<String, StreamInfo> streams =
                fields.isEmpty() ? Map.of() : Map.of(Utils.DEFAULT_STREAM_ID, Thrift.outputFields(fields));
        Map<String, Object> conf = Map.of(Config.TOPOLOGY_TICK_TUPLE_FREQ_SECS, TICK_SECS);
        return new Bolt(component(bolt), Thrift.prepareComponentCommon(Map.of(stream, grouping), streams, tasks, conf));
    }

    /** Names the class, as Storm's builder cannot. Serialization would cost a start 60 ms, and no component has a state of its own yet. */
    private static ComponentObject component(Class<?> type) {
        return ComponentObject.java_object(new JavaObject(type.getName(), List.of()));
    }

    /** Public for the engine, which makes instances. */
    public static final class AggregateTaskBolt extends TaskBolt {

        private static final long serialVersionUID = 1;

        private transient AggregateTask task;
        private transient BudgetPart share;

        @Override
        void open(PipelineRunState run, int index, OutputCollector collector) {
            RunPlan.Aggregation plan = (RunPlan.Aggregation) run.plan;
            share = run.budget.share();
            task = new AggregateTask(
                    index,
                    plan,
                    () -> share.aggregator(plan.query()),
                    run.tasks.get(index),
                    output -> {
                        long bytes = output.bytes();
                        run.resultBytes.addAndGet(bytes);
                        collector.emit(new Values(output, bytes));
                    },
                    run.clock);
        }

        @Override
        void handle(Tuple tuple) {
            task.handle((TaskInput) tuple.getValue(0));
        }

        @Override
        void tick() {
            task.tick();
            share.relieve();
        }

        @Override
        public void cleanup() {
            if (task != null) {
                task.close();
            }
        }
    }

    /** Runs a {@link RouteTask} as a bolt. It blocks while the router is full; then the engine moves it to its own thread. */
    public static final class RouteTaskBolt extends TaskBolt {

        private static final long serialVersionUID = 1;

        private transient RouteTask task;
        private transient long stoppingSince;

        @Override
        void open(PipelineRunState run, int index, OutputCollector collector) {
            task = new RouteTask(
                    index,
                    (RunPlan.Routing) run.plan,
                    run.tasks.get(index),
                    run,
                    run.clock,
                    new SinkRetries(run.stop, run.plan.settings().giveUp(), SinkRetries.FIRST_PAUSE_MS, () -> {}),
                    this::isGivenUp);
            // A route has no sinks that store positions.
            run.storedPositions.complete(null);
        }

        private boolean isGivenUp() {
            if (!state.stop.isRequested()) {
                return false;
            }
            long now = System.nanoTime();
            stoppingSince = stoppingSince == 0 ? now : stoppingSince;
            return state.failure() != null || now - stoppingSince > StopRequest.MAX_WITHOUT_PROGRESS.toNanos();
        }

        @Override
        void handle(Tuple tuple) {
            TaskInput input = (TaskInput) tuple.getValue(0);
            task.handle(input);
            if (input instanceof TaskInput.SourceEnded) {
                state.taskEnded();
            }
        }

        @Override
        void tick() {
            task.tick();
        }
    }

    /** Runs a {@link WriteTask} as a bolt. It may block; then the engine moves it to its own thread. */
    public static final class WriteTaskBolt extends TaskBolt {

        private static final long serialVersionUID = 1;

        private transient WriteTask task;

        @Override
        void open(PipelineRunState run, int index, OutputCollector collector)
                throws SinkException, InterruptedException {
            task = new WriteTask(
                    (RunPlan.Aggregation) run.plan,
                    run::commit,
                    run.clock,
                    new SinkRetries(
                            run.stop, run.plan.settings().giveUp(), SinkRetries.FIRST_PAUSE_MS, run.written::retried),
                    run.written,
                    WriteTask.MAX_GROUPS);
            task.open();
            run.storedPositions.complete(task.readStoredPositions());
        }

        @Override
        void handle(Tuple tuple) throws SinkException, InterruptedException {
            task.handle((AggregateOutput) tuple.getValue(0));
            state.resultBytes.addAndGet(-tuple.getLong(1));
            if (task.isEnded()) {
                state.complete();
            }
        }

        @Override
        void tick() throws SinkException, InterruptedException {
            task.tick();
        }

        /** Writes complete results at the end of a run that was stopped; after a failure nothing is written. */
        @Override
        public void cleanup() {
            if (task != null) {
                attempt(task::flush);
                task.close();
            }
        }
    }

    /** A bolt that does a task of a run. An exception ends the run, since a restart would lose what the task has in memory. */
    private abstract static class TaskBolt implements IBolt, RunContexts.Member {

        private static final long serialVersionUID = 1;

        transient PipelineRunState state;
        private transient int index;

        interface Step {
            void run() throws SinkException, InterruptedException;
        }

        abstract void open(PipelineRunState run, int index, OutputCollector collector)
                throws SinkException, InterruptedException;

        abstract void handle(Tuple tuple) throws SinkException, InterruptedException;

        abstract void tick() throws SinkException, InterruptedException;

        @Override
        public final void join(PipelineRunState run, int task, List<Integer> workers) {
            state = run;
            index = task;
        }

        @Override
        public final void prepare(Map<String, Object> conf, TopologyContext context, OutputCollector collector) {
            attempt(() -> open(state, index, collector));
        }

        @Override
        public final void execute(Tuple tuple) {
            boolean isTick = TupleUtils.isTick(tuple);
            if (state.failure() == null) {
                try {
                    if (isTick) {
                        tick();
                    } else {
                        handle(tuple);
                    }
                } catch (Exception | Error e) {
                    fail(e);
                }
            }
            if (!isTick
                    && tuple.getValue(0) instanceof TaskInput.OfPartition partitionInput
                    && partitionInput.event() instanceof Chunk chunk) {
                state.bytesInFlight.addAndGet(-chunk.length());
            }
        }

        @Override
        public void cleanup() {
            // Most tasks have nothing to close.
        }

        /** Makes a call of the task, unless the run has failed. */
        final void attempt(Step step) {
            if (state.failure() == null) {
                try {
                    step.run();
                } catch (Exception | Error e) {
                    fail(e);
                }
            }
        }

        private void fail(Throwable why) {
            if (why instanceof InterruptedException) {
                Thread.currentThread().interrupt();
            }
            state.fail(why);
        }
    }

    /** Reads the source and sends its events to the tasks. These track positions, so its tuples are not anchored. */
    public static final class SourceSpout implements ISpout, RunContexts.Member {

        private static final long serialVersionUID = 1;

        private static final long PUBLISH_MS = 100;
        private static final long RANK_MS = 1_000;

        private transient PipelineRunState state;
        private transient List<Integer> tasks;
        private transient RecordSource source;
        private transient EventDistributor distributor;
        private transient long nextPublish;
        private transient long nextRanking;

        @Override
        public void join(PipelineRunState run, int index, List<Integer> workers) {
            state = run;
            tasks = workers;
        }

        @Override
        public void open(Map<String, Object> conf, TopologyContext context, SpoutOutputCollector collector) {
            distributor = new EventDistributor(
                    tasks.size(),
                    state.plan.settings().keyed(),
                    state.plan instanceof RunPlan.Aggregation plan && plan.unique() != null,
                    (input, task) -> collector.emitDirect(tasks.get(task), new Values(input)),
                    new PartitionMoves(state.moves, state.clock));
        }

        /** Opens the source once the positions of the sinks are known: another thread opens the sinks, which may take long. */
        private boolean isOpen() throws SourceException {
            if (source == null && state.failure() == null && state.storedPositions.isDone()) {
                source = state.plan.settings().source().open(state.storedPositions.join());
                state.opened.set(source);
            }
            return source != null;
        }

        @Override
        public void nextTuple() {
            try {
                if (!isOpen()) {
                    return;
                }
                commitToSource();
                if (state.stop.isRequested()) {
                    // Records that cannot be read again must be written now.
                    distributor.stop(!source.canBeReadAgain());
                } else if (!distributor.isEnded() && state.hasCapacity()) {
                    state.bytesInFlight.addAndGet(distributor.distribute(source));
                }
                publish();
            } catch (SourceException | RuntimeException | Error e) {
                state.fail(e);
                if (source != null) {
                    source.close();
                    source = null;
                }
            }
        }

        private void commitToSource() {
            PipelineRunState.ChunkReport chunk;
            while ((chunk = state.chunkReports.poll()) != null) {
                if (distributor.isCurrent(chunk.partition())) {
                    chunk.report().accept(source);
                }
            }
            Map<Partition, PartitionPosition> done;
            while ((done = state.commits.poll()) != null) {
                done.forEach((partition, commit) -> {
                    if (distributor.isCurrent(partition)) {
                        source.commit(commit);
                        distributor.forgetIfOver(partition, commit.position());
                    }
                });
            }
        }

        private void publish() {
            long now = state.clock.getAsLong();
            if (now >= nextPublish || distributor.isEnded()) {
                nextPublish = now + PUBLISH_MS;
                state.source.set(source.progress());
            }
            if (now >= nextRanking) {
                nextRanking = now + RANK_MS;
                state.rank(source.lags(), distributor.times());
            }
        }

        @Override
        public void activate() {
            // A run is active from its start.
        }

        @Override
        public void deactivate() {
            // A run ends with its source.
        }

        @Override
        public void ack(Object message) {
            // No tuple is anchored.
        }

        @Override
        public void fail(Object message) {
            // No tuple is anchored.
        }

        @Override
        public void close() {
            if (source != null) {
                commitToSource();
                source.close();
            }
        }
    }
}
