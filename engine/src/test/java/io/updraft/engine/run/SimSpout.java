package io.updraft.engine.run;

import io.updraft.engine.testing.SeededRandom;
import io.updraft.engine.testing.SimEvent;
import io.updraft.engine.testing.SimException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.apache.storm.spout.SpoutOutputCollector;
import org.apache.storm.task.TopologyContext;
import org.apache.storm.topology.IRichSpout;
import org.apache.storm.topology.OutputFieldsDeclarer;
import org.apache.storm.tuple.Fields;

/** A spout whose actions follow from its habits and from chance. */
@SuppressWarnings("serial")
final class SimSpout implements IRichSpout {
    private static final int MOST_REPLAYS = 6;

    private final String id;
    private final List<String> streams;

    private transient Simulation simulation;
    private transient SimBehavior habits;
    private transient SimInstance instance;
    private transient SimSpoutCalls desk;
    private transient SeededRandom chance;

    SimSpout(String id, List<String> streams) {
        this.id = id;
        this.streams = new ArrayList<>(streams);
    }

    @Override
    public void open(Map<String, Object> conf, TopologyContext context, SpoutOutputCollector collector) {
        simulation = Simulation.current();
        habits = simulation.topology().habits(id);
        chance = simulation.chance();
        instance = simulation.opening(id, context.getThisTaskId());
        desk = new SimSpoutCalls(simulation, instance, collector);
        simulation.interlude();
        if (chance.percent(5)) {
            desk.emit(false, chance.percent(50));
        }
        simulation.mayThrow(habits, instance, "open");
        instance.opened = true;
    }

    @Override
    public void activate() {
        simulation.model().told(instance, true);
        try {
            callback("activate");
        } catch (SimException e) {
            simulation.model().notActivated(instance);
            throw e;
        }
    }

    @Override
    public void deactivate() {
        simulation.model().told(instance, false);
        if (chance.percent(5)) {
            desk.emit(false, true);
        }
        if (!instance.dead) {
            callback("deactivate");
        }
    }

    @Override
    public void nextTuple() {
        simulation.called(instance, this::next);
    }

    private void next() {
        if (chance.oneIn(500)) {
            instance.wrapping.turnOver(true);
        }
        simulation
                .model()
                .check(instance.active || instance.inert, "nextTuple of a spout that is not active", instance);
        simulation.interlude();
        simulation.takeTime(habits);
        int count = Math.max(0, chance.between(-2, Math.min(3, habits.mostChildren())));
        for (int i = 0; i < count; i++) {
            desk.emit(false, chance.percent(80));
        }
        callback("nextTuple");
    }

    @Override
    public void ack(Object messageId) {
        simulation.count(SimEvent.ACKED);
        simulation.model().acked(instance, (SimMessage) messageId);
        if (chance.percent(10)) {
            desk.emit(false, chance.percent(80));
        }
        callback("ack");
    }

    @Override
    public void fail(Object messageId) {
        SimMessage message = (SimMessage) messageId;
        simulation.count(cause(message));
        simulation.model().failed(instance, message);
        if (chance.percent(70) && message.attempt < MOST_REPLAYS) {
            desk.replay(message);
        }
        callback("fail");
    }

    private static SimEvent cause(SimMessage message) {
        if (message.failed) {
            return SimEvent.FAILED;
        }
        if (message.mayGo) {
            return SimEvent.FAILED_BY_REBALANCE;
        }
        return message.struck ? SimEvent.FAILED_BY_LOSS : SimEvent.TIMED_OUT;
    }

    private void callback(String during) {
        simulation.interlude();
        simulation.mayThrow(habits, instance, during);
    }

    @Override
    public void close() {
        simulation.model().closing(instance);
        if (chance.percent(5)) {
            desk.emit(false, true);
        }
        simulation.interlude();
    }

    @Override
    public void declareOutputFields(OutputFieldsDeclarer declarer) {
        for (String stream : streams) {
            declarer.declareStream(
                    stream, stream.equals(SimTopology.DIRECT), new Fields(SimTopology.KEY, SimTopology.SENT));
        }
    }

    @Override
    public Map<String, Object> getComponentConfiguration() {
        return null;
    }
}
