package io.updraft.engine.run;

import java.util.ArrayList;
import java.util.List;
import org.apache.storm.task.OutputCollector;
import org.apache.storm.tuple.Tuple;
import org.apache.storm.tuple.Values;

/** The collector of one instance of a bolt, and the tuples that it holds. */
final class SimBoltCalls extends SimCalls {

    private final OutputCollector collector;
    private final List<SimReceived> held = new ArrayList<>();

    SimBoltCalls(Simulation simulation, SimInstance instance, OutputCollector collector) {
        super(simulation, instance);
        this.collector = collector;
    }

    void hold(SimReceived received) {
        held.add(received);
    }

    /** Takes up to so many of the tuples held. */
    List<SimReceived> take(int most) {
        List<SimReceived> taken = new ArrayList<>();
        while (!held.isEmpty() && taken.size() < most) {
            taken.add(held.remove(chance.between(0, held.size() - 1)));
        }
        return taken;
    }

    void emit(boolean outside, List<SimReceived> anchors) {
        SimTopology.Stream stream = anyStream();
        if (stream == null || !simulation.mayEmit(anchors)) {
            return;
        }
        Integer direct = stream.isDirect() ? directTarget(stream) : null;
        if (stream.isDirect() && direct == null) {
            return;
        }
        SimSent sent = model.sending(instance.task, stream.id(), thread(outside), anchors, null);
        Values values = values(sent);
        List<Tuple> tuples = anchors.stream().map(anchor -> anchor.tuple).toList();
        List<Integer> targets = call(outside, () -> {
            if (direct != null) {
                collector.emitDirect(direct, stream.id(), tuples, values);
                return List.of(direct);
            }
            return switch (tuples.size()) {
                case 0 -> collector.emit(stream.id(), values);
                case 1 -> collector.emit(stream.id(), tuples.get(0), values);
                default -> collector.emit(stream.id(), tuples, values);
            };
        });
        model.sent(sent, targets);
    }

    void settle(boolean outside, SimReceived received, boolean ok) {
        model.settling(received, ok);
        call(outside, () -> {
            if (ok) {
                collector.ack(received.tuple);
            } else {
                collector.fail(received.tuple);
            }
            return null;
        });
    }

    void resetTimeout(boolean outside, SimReceived received) {
        call(outside, () -> {
            collector.resetTimeout(received.tuple);
            return null;
        });
    }

    @Override
    void actOutside() {
        List<SimReceived> taken = take(chance.between(0, 3));
        if (chance.percent(50) && mayCallOutside()) {
            emit(true, taken);
        }
        for (SimReceived received : taken) {
            switch (chance.weighted(6, 1, 1, 4)) {
                case 0 -> settle(true, received, true);
                case 1 -> settle(true, received, false);
                case 2 -> {
                    resetTimeout(true, received);
                    hold(received);
                }
                default -> hold(received);
            }
        }
    }

    /** Acks what is still held, however late. */
    void ackAll() {
        for (SimReceived received : take(Integer.MAX_VALUE)) {
            settle(true, received, true);
        }
    }
}
