package io.updraft.storm.component;

import com.esotericsoftware.kryo.serializers.DefaultSerializers.AtomicIntegerSerializer;
import java.util.ArrayList;
import java.util.Collection;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.storm.Config;
import org.apache.storm.state.InMemoryKeyValueStateProvider;
import org.apache.storm.task.IBolt;
import org.apache.storm.task.OutputCollector;
import org.apache.storm.task.TopologyContext;
import org.apache.storm.topology.StatefulBoltExecutor;
import org.apache.storm.tuple.Tuple;
import org.apache.storm.tuple.TupleImpl;

/**
 * Gives a bolt tuples of Storm's {@link TupleImpl} in place of the engine's tuples, and translates them back when the bolt
 * acks, fails or anchors. Storm's serializer of states supports only that class, and persistent windows keep tuples in their
 * state.
 *
 * <p>Used only for stateful bolts whose state leaves the process.
 */
final class StormTupleBolt implements IBolt {

    private static final long serialVersionUID = 1L;

    private final transient IBolt bolt;

    /** The engine's tuple for each tuple that the bolt has neither acked nor failed. Guarded by its own monitor; any thread. */
    private final transient Map<Tuple, Tuple> originals = new IdentityHashMap<>();

    private StormTupleBolt(IBolt bolt) {
        this.bolt = bolt;
    }

    /** Returns a wrapper of an instance that keeps tuples in a state outside the process, else the instance itself. */
    public static Object aroundIfNeeded(Object instance, Map<String, Object> conf) {
        Object provider = conf.get(Config.TOPOLOGY_STATE_PROVIDER);
        boolean inMemory = provider == null || provider.equals(InMemoryKeyValueStateProvider.class.getName());
        return instance instanceof StatefulBoltExecutor<?> stateful && !inMemory
                ? new StormTupleBolt(stateful)
                : instance;
    }

    @Override
    public void prepare(Map<String, Object> conf, TopologyContext context, OutputCollector collector) {
        StateRegistrations.mend(conf);
        bolt.prepare(conf, context, new Returning(collector));
    }

    @Override
    public void execute(Tuple input) {
        Tuple given = new TupleImpl(
                input.getContext(),
                input.getValues(),
                input.getSourceComponent(),
                input.getSourceTask(),
                input.getSourceStreamId(),
                input.getMessageId());
        synchronized (originals) {
            originals.put(given, input);
        }
        try {
            bolt.execute(given);
        } catch (RuntimeException | Error e) {
            settled(given); // the engine fails its own tuple
            throw e;
        }
    }

    @Override
    public void cleanup() {
        bolt.cleanup();
    }

    /** Returns the engine's tuple. A tuple that was already acked or failed, or comes from the state, is returned as it is. */
    private Tuple original(Tuple given) {
        synchronized (originals) {
            return originals.getOrDefault(given, given);
        }
    }

    private Tuple settled(Tuple given) {
        synchronized (originals) {
            Tuple original = originals.remove(given);
            return original == null ? given : original;
        }
    }

    private List<Tuple> originals(Collection<Tuple> anchors) {
        return anchors == null ? null : anchors.stream().map(this::original).toList();
    }

    private final class Returning extends OutputCollector {
        Returning(OutputCollector collector) {
            super(collector);
        }

        @Override
        public List<Integer> emit(String streamId, Collection<Tuple> anchors, List<Object> tuple) {
            return super.emit(streamId, originals(anchors), tuple);
        }

        @Override
        public void emitDirect(int taskId, String streamId, Collection<Tuple> anchors, List<Object> tuple) {
            super.emitDirect(taskId, streamId, originals(anchors), tuple);
        }

        @Override
        public void ack(Tuple input) {
            super.ack(settled(input));
        }

        @Override
        public void fail(Tuple input) {
            super.fail(settled(input));
        }

        @Override
        public void resetTimeout(Tuple input) {
            super.resetTimeout(original(input));
        }
    }

    /**
     * The value of {@code topology.state.kryo.register} of one instance. Storm's persistent windows add {@link AtomicInteger} to it
     * without a serializer. Kryo would then access private fields of the JDK by reflection, which JDK 17 and later forbid. This
     * list registers Kryo's own serializer for that class instead.
     */
    private static final class StateRegistrations extends ArrayList<Object> {

        private static final long serialVersionUID = 1L;

        private StateRegistrations(Collection<?> given) {
            super(given);
        }

        /** Replaces the registrations of a configuration, if any, by a list that corrects registrations that are added later. */
        static void mend(Map<String, Object> conf) {
            conf.compute(
                    Config.TOPOLOGY_STATE_KRYO_REGISTER,
                    (key, given) ->
                            new StateRegistrations(given instanceof Collection<?> some ? some : new ArrayList<>()));
        }

        @Override
        public boolean add(Object registration) {
            return super.add(
                    registration.equals(AtomicInteger.class.getName())
                            ? Map.of(AtomicInteger.class.getName(), AtomicIntegerSerializer.class.getName())
                            : registration);
        }
    }
}
