package io.updraft.engine.run;

import java.util.List;
import org.apache.storm.spout.SpoutOutputCollector;
import org.apache.storm.tuple.Values;

/** The collector of one instance of a spout. */
final class SimSpoutCalls extends SimCalls {

    private final SpoutOutputCollector collector;

    SimSpoutCalls(Simulation simulation, SimInstance instance, SpoutOutputCollector collector) {
        super(simulation, instance);
        this.collector = collector;
    }

    void emit(boolean outside, boolean reliable) {
        if (simulation.mayEmitMessage()) {
            emit(outside, reliable ? model.message(instance, null) : null);
        }
    }

    void replay(SimMessage failed) {
        if (simulation.mayEmitMessage()) {
            emit(false, model.message(instance, failed));
        }
    }

    private void emit(boolean outside, SimMessage message) {
        SimTopology.Stream stream = anyStream();
        Integer direct = stream.isDirect() ? directTarget(stream) : null;
        SimSent sent = model.sending(instance.task, stream.id(), thread(outside), List.of(), message);
        Values values = values(sent);
        List<Integer> targets = call(outside, () -> {
            if (stream.isDirect()) {
                collector.emitDirect(direct == null ? 1 : direct, stream.id(), values, message);
                return direct == null ? List.of() : List.of(direct);
            }
            return collector.emit(stream.id(), values, message);
        });
        model.sent(sent, targets);
    }

    @Override
    void actOutside() {
        // One that waits for room would wait for acks that nobody but it brings about.
        boolean room =
                !((SpoutExecutor) simulation.executorOf(instance.task)).output().mustWait();
        if (room && mayCallOutside()) {
            emit(true, chance.percent(70));
        }
    }
}
