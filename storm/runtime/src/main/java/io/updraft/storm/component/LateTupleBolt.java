package io.updraft.storm.component;

import java.util.Collection;
import java.util.List;
import java.util.Map;
import org.apache.storm.Config;
import org.apache.storm.task.IBolt;
import org.apache.storm.task.OutputCollector;
import org.apache.storm.task.TopologyContext;
import org.apache.storm.tuple.DetachedTuple;
import org.apache.storm.tuple.Tuple;
import org.apache.storm.tuple.Values;

/**
 * A windowed bolt whose late tuples are emitted as {@link DetachedTuple}, as in Storm 3. Storm 2.8 emits the tuple itself, which
 * has its topology and cannot leave the worker.
 */
final class LateTupleBolt implements IBolt {

    private static final long serialVersionUID = 1L;

    private final transient IBolt bolt;
    private final transient String lateStream;

    private LateTupleBolt(IBolt bolt, String lateStream) {
        this.bolt = bolt;
        this.lateStream = lateStream;
    }

    /** Returns a wrapper of a bolt that has a stream of late tuples, else the instance itself. */
    public static Object aroundIfNeeded(Object instance, Map<String, Object> conf) {
        return instance instanceof IBolt bolt
                        && conf.get(Config.TOPOLOGY_BOLTS_LATE_TUPLE_STREAM) instanceof String late
                ? new LateTupleBolt(bolt, late)
                : instance;
    }

    @Override
    public void prepare(Map<String, Object> conf, TopologyContext context, OutputCollector collector) {
        bolt.prepare(conf, context, new Detaching(collector));
    }

    @Override
    public void execute(Tuple input) {
        bolt.execute(input);
    }

    @Override
    public void cleanup() {
        bolt.cleanup();
    }

    private final class Detaching extends OutputCollector {
        Detaching(OutputCollector collector) {
            super(collector);
        }

        @Override
        public List<Integer> emit(String streamId, Collection<Tuple> anchors, List<Object> values) {
            return super.emit(streamId, anchors, streamId.equals(lateStream) ? detached(values) : values);
        }

        /** Storm 3 has detached the tuple already. */
        private static List<Object> detached(List<Object> values) {
            return values.size() == 1 && values.get(0) instanceof Tuple late && !(late instanceof DetachedTuple)
                    ? new Values(new DetachedTuple(late))
                    : values;
        }
    }
}
