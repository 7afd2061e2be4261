package io.updraft.pipeline.run;

import io.updraft.pipeline.source.Commit;
import io.updraft.pipeline.source.Source;
import java.util.Map;
import org.apache.storm.task.OutputCollector;
import org.apache.storm.task.TopologyContext;
import org.apache.storm.topology.OutputFieldsDeclarer;
import org.apache.storm.topology.base.BaseRichBolt;
import org.apache.storm.tuple.Tuple;
import org.apache.storm.utils.TupleUtils;

/** Runs a {@link RouteTask} as a bolt. It blocks while the router is full; then the engine moves it to its own thread. */
final class RouteBolt extends BaseRichBolt {

    private static final long serialVersionUID = 1;

    private final String run;
    private transient RunState state;
    private transient RouteTask task;
    private transient long stoppingSince;

    RouteBolt(String run) {
        this.run = run;
    }

    @Override
    public void declareOutputFields(OutputFieldsDeclarer declarer) {
        // A route task emits nothing.
    }

    @Override
    public void prepare(Map<String, Object> conf, TopologyContext context, OutputCollector collector) {
        state = RunState.of(run);
        int index = context.getThisTaskIndex();
        try {
            task = new RouteTask(
                    index,
                    state.plan(),
                    state.tasks().get(index),
                    new Told(state),
                    state.clock(),
                    new Retries(state.stop(), state.plan().giveUp(), () -> {}),
                    this::isGivenUp);
            // A route has no sinks that store positions.
            state.kept().complete(null);
        } catch (RuntimeException | Error e) {
            state.fail(e);
        }
    }

    private record Told(RunState state) implements RouteTask.Told {
        @Override
        public void written(Unit unit, long from) {
            state.written(unit.source()).add(new RunState.Written(unit, from));
        }

        @Override
        public void commit(Unit unit, long position) {
            state.commit(Map.of(unit, new Commit(unit.name(), position, Long.MIN_VALUE)));
        }
    }

    private boolean isGivenUp() {
        if (!state.stop().isRequested()) {
            return false;
        }
        long now = System.nanoTime();
        stoppingSince = stoppingSince == 0 ? now : stoppingSince;
        return state.failure() != null || now - stoppingSince > Stop.PATIENCE.toNanos();
    }

    @Override
    public void execute(Tuple tuple) {
        boolean isTick = TupleUtils.isTick(tuple);
        Input input = isTick ? null : (Input) tuple.getValue(0);
        if (task != null && state.failure() == null) {
            try {
                if (isTick) {
                    task.tick();
                } else {
                    handle(input);
                }
            } catch (RuntimeException | Error e) {
                state.fail(e);
            }
        }
        if (input instanceof Input.Happened happened && happened.event() instanceof Source.Event.Records records) {
            state.bytesInFlight().addAndGet(-records.chunk().length());
        }
    }

    private void handle(Input input) {
        task.handle(input);
        if (input instanceof Input.SourceEnded && task.isEnded()) {
            state.taskEnded();
        }
    }
}
