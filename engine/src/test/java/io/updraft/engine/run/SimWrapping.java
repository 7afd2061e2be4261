package io.updraft.engine.run;

import io.updraft.engine.api.ForwardingSpout;
import io.updraft.engine.api.TaskControl;
import io.updraft.engine.api.TaskWrapper;
import io.updraft.engine.testing.SimEvent;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import org.apache.storm.spout.ISpout;
import org.apache.storm.spout.ISpoutOutputCollector;
import org.apache.storm.spout.SpoutOutputCollector;
import org.apache.storm.task.IBolt;
import org.apache.storm.task.IOutputCollector;
import org.apache.storm.task.OutputCollector;
import org.apache.storm.task.TopologyContext;
import org.apache.storm.tuple.Tuple;

/** A wrapper that is put around one instance from time to time. It checks that all calls that should pass it do so. */
final class SimWrapping implements TaskWrapper {

    private final Simulation simulation;
    private final int task;
    private final TaskControl control;

    /** The instance, once it is being opened. */
    SimInstance instance;

    /** Whether the instance is wrapped now. */
    private boolean on;

    /** Whether that was so when the turn began: who is in a turn goes on with what it has in hand as it began. */
    private boolean sinceTurn = true;

    /** Calls of the instance that came by this and are on. */
    private int inside;

    /** The call of the collector that is about to come by this, if it is to. */
    private Call expected;

    private int ordered;
    private int obeyed;

    /** One call of a collector. */
    private static final class Call {
        private boolean seen;
    }

    SimWrapping(Simulation simulation, int task, TaskControl control) {
        this.simulation = simulation;
        this.task = task;
        this.control = control;
    }

    /** Wraps or unwraps, in a call of the instance or while its context is made. */
    void turnOver(boolean inCall) {
        on = !on;
        sinceTurn = !inCall;
        simulation.trace().note(on ? "wraps" : "unwraps", task, 0);
        simulation.count(SimEvent.WRAPPED);
        control.wrap(on ? this : null);
    }

    /** Has it done on the thread of the instance; called as by another thread. */
    void order() {
        ordered++;
        simulation.trace().note("orders", task, ordered);
        simulation.model().check(control.queued() >= 0, "a queue shorter than nothing", task);
        control.run(() -> {
            obeyed++;
            simulation
                    .model()
                    .check(
                            simulation.executorOf(task).turnThread().isTurnOn(),
                            "ordered, and done outside of a turn",
                            instance);
            turnOver(false);
        });
    }

    /** Nothing is under way: all was done that was ordered. */
    void atRest() {
        if (instance != null && instance.opened && !instance.dead && !instance.closed) {
            simulation.model().check(obeyed == ordered, "ordered " + ordered + ", done " + obeyed, instance);
        }
    }

    /** The instance is called. */
    void called() {
        if (sinceTurn) {
            simulation.model().check(on == inside > 0, on ? "not by way of what wraps it" : "still wrapped", instance);
        }
    }

    /** A call of the collector begins; returns what {@link #seen} is to be asked with. */
    Object expect() {
        Call call = new Call();
        expected = call;
        return on ? call : null;
    }

    /** The call is over that {@code expect} was called for. */
    void seen(Object call) {
        expected = null;
        if (call != null) {
            simulation.model().check(((Call) call).seen, "a call that the wrapper did not see", instance);
        }
    }

    private void passes() {
        if (expected != null) {
            simulation.model().check(on, "a call that came by a wrapper that is gone", instance);
            expected.seen = true;
            expected = null;
        }
    }

    private void inside(Runnable call) {
        inside++;
        try {
            call.run();
        } finally {
            inside--;
        }
    }

    @Override
    public IBolt wrapBolt(IBolt bolt) {
        return new IBolt() {
            @Override
            public void prepare(Map<String, Object> conf, TopologyContext context, OutputCollector collector) {
                throw new AssertionError("prepared already");
            }

            @Override
            public void execute(Tuple input) {
                inside(() -> bolt.execute(input));
            }

            @Override
            public void cleanup() {
                inside(bolt::cleanup);
            }
        };
    }

    @Override
    public ISpout wrapSpout(ISpout spout) {
        return new ForwardingSpout(spout) {
            @Override
            public void open(Map<String, Object> conf, TopologyContext context, SpoutOutputCollector collector) {
                throw new AssertionError("opened already");
            }

            @Override
            public void close() {
                inside(super::close);
            }

            @Override
            public void activate() {
                inside(super::activate);
            }

            @Override
            public void deactivate() {
                inside(super::deactivate);
            }

            @Override
            public void nextTuple() {
                inside(super::nextTuple);
            }

            @Override
            public void ack(Object messageId) {
                inside(() -> super.ack(messageId));
            }

            @Override
            public void fail(Object messageId) {
                inside(() -> super.fail(messageId));
            }
        };
    }

    @Override
    public IOutputCollector wrapCollector(IOutputCollector engine) {
        return new OutputCollector(engine) {
            @Override
            public List<Integer> emit(String streamId, Collection<Tuple> anchors, List<Object> values) {
                passes();
                return super.emit(streamId, anchors, values);
            }

            @Override
            public void emitDirect(int target, String streamId, Collection<Tuple> anchors, List<Object> values) {
                passes();
                super.emitDirect(target, streamId, anchors, values);
            }

            @Override
            public void ack(Tuple input) {
                passes();
                super.ack(input);
            }

            @Override
            public void fail(Tuple input) {
                passes();
                super.fail(input);
            }

            @Override
            public void resetTimeout(Tuple input) {
                passes();
                super.resetTimeout(input);
            }
        };
    }

    @Override
    public ISpoutOutputCollector wrapCollector(ISpoutOutputCollector engine) {
        return new SpoutOutputCollector(engine) {
            @Override
            public List<Integer> emit(String streamId, List<Object> values, Object messageId) {
                passes();
                return super.emit(streamId, values, messageId);
            }

            @Override
            public void emitDirect(int target, String streamId, List<Object> values, Object messageId) {
                passes();
                super.emitDirect(target, streamId, values, messageId);
            }
        };
    }
}
