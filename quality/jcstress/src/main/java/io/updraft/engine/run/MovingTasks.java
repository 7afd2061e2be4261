package io.updraft.engine.run;

import io.updraft.engine.api.ContextFactory;
import io.updraft.engine.api.EngineClock;
import io.updraft.engine.api.EngineOptions;
import io.updraft.engine.api.TaskControl;
import io.updraft.engine.api.WorkerOptions;
import io.updraft.engine.plan.ComponentPlan;
import io.updraft.engine.plan.EngineSettings;
import io.updraft.engine.plan.Plan;
import io.updraft.engine.plan.Planner;
import io.updraft.engine.run.TurnBudget.TurnProbe;
import java.util.Map;
import java.util.Set;
import org.apache.storm.spout.SpoutOutputCollector;
import org.apache.storm.task.OutputCollector;
import org.apache.storm.task.TopologyContext;
import org.apache.storm.topology.OutputFieldsDeclarer;
import org.apache.storm.topology.TopologyBuilder;
import org.apache.storm.topology.base.BaseRichBolt;
import org.apache.storm.topology.base.BaseRichSpout;
import org.apache.storm.tuple.Fields;
import org.apache.storm.tuple.Tuple;
import org.apache.storm.tuple.Values;

/**
 * A topology whose event loops run only in {@link #run}. The spout and the bolt have one executor with two tasks each; {@link
 * #rebalance} gives each task its own executor. One message has been emitted, and the bolt holds its tuple.
 */
final class MovingTasks {

    private static final Map<String, Object> CONF = Map.of(EngineSettings.LOOPS, 1);
    private static final EngineSettings SETTINGS = EngineSettings.of(CONF);
    private static final Plan PLAN = plan();
    private static final Plan NEXT = Planner.replan(PLAN, Map.of("spout", 2, "bolt", 2));

    private final TopologyLifecycle lifecycle = new TopologyLifecycle();
    private final LoopAssembly assembly;
    private final String moved;

    /** Of the task that emits, or of the one that holds its tuple. */
    Spout spout;

    Bolt bolt;
    TaskControl control;
    int acked;
    int received;

    /** One of the spout's tasks emits a single message. */
    static final class Spout extends BaseRichSpout {
        private static final long serialVersionUID = 1L;

        transient MovingTasks owner;
        transient SpoutOutputCollector out;
        private transient boolean emitted;

        @Override
        public void open(Map<String, Object> conf, TopologyContext context, SpoutOutputCollector collector) {
            out = collector;
        }

        @Override
        public void nextTuple() {
            if (this == owner.spout && !emitted) {
                emitted = true;
                out.emit(new Values(1), 1);
            }
        }

        @Override
        public void ack(Object messageId) {
            owner.acked++;
        }

        @Override
        public void declareOutputFields(OutputFieldsDeclarer declarer) {
            declarer.declare(new Fields("v"));
        }
    }

    /** Holds the first tuple, and counts all. */
    static final class Bolt extends BaseRichBolt {
        private static final long serialVersionUID = 1L;

        transient MovingTasks owner;
        transient OutputCollector out;
        transient Tuple held;

        @Override
        public void prepare(Map<String, Object> conf, TopologyContext context, OutputCollector collector) {
            out = collector;
        }

        @Override
        public void execute(Tuple input) {
            owner.received++;
            if (owner.received == 1) {
                owner.bolt = this;
                held = input;
            } else {
                out.ack(input);
            }
        }

        @Override
        public void declareOutputFields(OutputFieldsDeclarer declarer) {}
    }

    /** Knows each instance, and makes no contexts: nobody here asks one for anything. */
    private final class Contexts implements ContextFactory {
        private TaskControl last;

        @Override
        public TopologyContext create(Plan plan, ComponentPlan component, int taskId, Map<String, Object> data) {
            return null;
        }

        @Override
        public TopologyContext create(
                Plan plan, ComponentPlan component, int taskId, Map<String, Object> data, TaskControl itsControl) {
            last = itsControl;
            return null;
        }

        @Override
        public Object adopt(Plan plan, ComponentPlan component, int taskId, Object instance, TopologyContext context) {
            if (instance instanceof Spout its) {
                its.owner = MovingTasks.this;
                spout = its;
            } else if (instance instanceof Bolt its) {
                its.owner = MovingTasks.this;
                control = last;
            }
            return instance;
        }
    }

    /** Time stands still. */
    private static final class Clock implements EngineClock {
        @Override
        public long nanoTime() {
            return 1;
        }

        @Override
        public long currentTimeMillis() {
            return 1;
        }
    }

    /** No turn is too long. */
    private static final class Standing implements LoopRuntime {
        @Override
        public void continueLoop(EventLoop loop, ExecutorSlot turn) {
            throw new IllegalStateException();
        }

        @Override
        public void runDetached(Executor executor) {
            throw new IllegalStateException();
        }

        @Override
        public void continueDetached(Executor executor) {
            throw new IllegalStateException();
        }

        @Override
        public void pause(Executor executor) {
            Thread.yield();
        }

        @Override
        public TurnProbe newProbe() {
            return new TurnProbe() {
                @Override
                public void begin() {}

                @Override
                public boolean end(long nanos, int calls, long slow) {
                    return false;
                }

                @Override
                public long waitedNanos() {
                    return 0;
                }
            };
        }
    }

    /**
     * Makes it, and has the message emitted.
     *
     * @param moved the component whose tasks are to be dealt out anew
     */
    MovingTasks(String moved) {
        this.moved = moved;
        EngineOptions options =
                new EngineOptions("moving", "moving-1", new Contexts(), new Clock(), 1, error -> {}, death -> {});
        assembly = LoopAssembly.of(
                PLAN, SETTINGS, options, WorkerOptions.ALONE, letter -> {}, new Standing(), lifecycle, death -> {});
        lifecycle.activate();
        run();
        if (bolt == null) {
            throw new IllegalStateException("nothing has arrived");
        }
    }

    private static Plan plan() {
        TopologyBuilder topology = new TopologyBuilder();
        topology.setSpout("spout", new Spout(), 1).setNumTasks(2);
        topology.setBolt("bolt", new Bolt(), 1).setNumTasks(2).shuffleGrouping("spout");
        return Planner.plan("moving", "moving-1", topology.createTopology(), CONF, SETTINGS);
    }

    /** Lets the loop go round until it has nothing to do. */
    void run() {
        int idle = 0;
        while (idle < 2) {
            idle = assembly.loops().get(0).doWork() == 0 ? idle + 1 : 0;
        }
    }

    /** Gives each task an executor of its own; returns whether it was done. The messages of a spout that is moved fail first. */
    boolean rebalance() {
        ExecutorRebalance regroup = new ExecutorRebalance(assembly, NEXT, Set.of(moved));
        try {
            return regroup.prepare(false) && regroup.changeIfReady(false);
        } finally {
            regroup.release();
        }
    }

    /** {@return the number of executors that run} */
    int executors() {
        return assembly.slots().size();
    }
}
