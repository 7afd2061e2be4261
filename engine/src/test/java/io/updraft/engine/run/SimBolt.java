package io.updraft.engine.run;

import io.updraft.engine.testing.SeededRandom;
import io.updraft.engine.testing.SimEvent;
import io.updraft.engine.testing.SimException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.apache.storm.task.OutputCollector;
import org.apache.storm.task.TopologyContext;
import org.apache.storm.topology.IRichBolt;
import org.apache.storm.topology.OutputFieldsDeclarer;
import org.apache.storm.tuple.Fields;
import org.apache.storm.tuple.Tuple;
import org.apache.storm.utils.TupleUtils;

/** A bolt whose actions follow from its habits and from chance. */
@SuppressWarnings("serial")
final class SimBolt implements IRichBolt {
    /** The action of a bolt on a tuple. */
    enum Action {
        ACK,
        /** Emits children for it, then acks. */
        BRANCH,
        /** Emits a child and waits for a while before it acks. */
        EMIT_AND_WAIT,
        EMIT_UNANCHORED,
        FAIL,
        HOLD,
        /** A thread of its own emits for it, then the turn acks it. */
        EMIT_OUTSIDE,
        /** Emits for several that it holds at once, then acks them. */
        JOIN,
        /** Is not acked, ever. */
        FORGET,
        SETTLE_TWICE,
        RESET_TIMEOUT,
        EMIT_AFTER_ACK
    }

    private final String id;
    private final List<String> streams;

    private transient Simulation simulation;
    private transient SimBehavior habits;
    private transient SimInstance instance;
    private transient SimBoltCalls desk;
    private transient SeededRandom chance;

    SimBolt(String id, List<String> streams) {
        this.id = id;
        this.streams = new ArrayList<>(streams);
    }

    @Override
    public void prepare(Map<String, Object> conf, TopologyContext context, OutputCollector collector) {
        simulation = Simulation.current();
        habits = simulation.topology().habits(id);
        chance = simulation.chance();
        instance = simulation.opening(id, context.getThisTaskId());
        desk = new SimBoltCalls(simulation, instance, collector);
        simulation.interlude();
        simulation.mayThrow(habits, instance, "prepare");
        if (chance.percent(5)) {
            desk.emit(false, List.of());
        }
        instance.opened = true;
    }

    @Override
    public void execute(Tuple tuple) {
        simulation.called(instance, () -> receive(tuple));
    }

    private void receive(Tuple tuple) {
        if (chance.oneIn(500)) {
            instance.wrapping.turnOver(true);
        }
        if (TupleUtils.isTick(tuple)) {
            settleSomeHeld();
            return;
        }
        SimReceived received = simulation.model().received(instance.task, tuple);
        simulation.interlude();
        throwAt(received);
        simulation.takeTime(habits);
        act(
                received,
                simulation.isCalm() && chance.percent(50)
                        ? Action.ACK
                        : Action.values()[chance.weighted(habits.weights())]);
        if (!desk.isOutsideBusy() && chance.percent(4)) {
            // A thread of its own, while the turn is on.
            desk.actOutside();
        }
        if (chance.percent(20)) {
            settleSomeHeld();
        }
        simulation.interlude();
        throwAt(received);
    }

    private void throwAt(SimReceived received) {
        if (simulation.isToThrow(habits)) {
            simulation.model().settling(received, false);
            simulation.throwNow(instance, "execute");
        }
    }

    private void act(SimReceived received, Action action) {
        switch (action) {
            case ACK -> desk.settle(false, received, true);
            case BRANCH -> branch(received);
            case EMIT_AND_WAIT -> {
                desk.emit(false, List.of(received));
                if (chance.oneIn(4)) {
                    simulation.waitForOthers();
                }
                desk.settle(false, received, true);
            }
            case EMIT_UNANCHORED -> {
                desk.emit(false, List.of());
                desk.settle(false, received, true);
            }
            case FAIL -> desk.settle(false, received, false);
            case HOLD -> desk.hold(received);
            case EMIT_OUTSIDE -> {
                if (desk.mayCallOutside() && !desk.isOutsideBusy()) {
                    desk.emit(true, List.of(received));
                }
                desk.settle(false, received, true);
            }
            case JOIN -> join(received);
            case FORGET -> {}
            case SETTLE_TWICE -> {
                desk.settle(false, received, chance.percent(70));
                desk.settle(false, received, chance.percent(50));
            }
            case RESET_TIMEOUT -> {
                desk.resetTimeout(false, received);
                desk.hold(received);
            }
            case EMIT_AFTER_ACK -> {
                desk.settle(false, received, true);
                desk.emit(false, List.of(received));
            }
        }
    }

    private void branch(SimReceived received) {
        int children = chance.between(0, habits.mostChildren());
        for (int i = 0; i < children; i++) {
            desk.emit(false, List.of(received));
            if (i == 0) {
                simulation.interlude();
            }
        }
        if (chance.percent(80)) {
            desk.settle(false, received, true);
        } else {
            desk.hold(received);
        }
    }

    private void join(SimReceived received) {
        List<SimReceived> parts = desk.take(chance.between(0, 3));
        parts.add(received);
        int children = chance.between(1, 2);
        for (int i = 0; i < children; i++) {
            desk.emit(false, parts);
        }
        simulation.count(SimEvent.JOINED);
        simulation.interlude();
        for (SimReceived part : parts) {
            if (chance.percent(85)) {
                desk.settle(false, part, chance.percent(95));
            } else {
                desk.hold(part);
            }
        }
    }

    private void settleSomeHeld() {
        for (SimReceived received : desk.take(chance.between(0, 2))) {
            desk.settle(false, received, chance.percent(85));
        }
    }

    @Override
    public void cleanup() {
        simulation.model().closing(instance);
        simulation.interlude();
        if (simulation.isToThrow(habits)) {
            throw new SimException("cleanup");
        }
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
