package io.updraft.engine.plan;

import com.esotericsoftware.kryo.serializers.DefaultSerializers.AtomicIntegerSerializer;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.storm.Config;

/**
 * What {@code topology.state.kryo.register} of one instance says. Storm's persistent windows add {@link AtomicInteger} to it
 * without a serializer, and Kryo then wants to look into the JDK, which JDKs since 17 forbid; here it gets Kryo's own
 * serializer for that class.
 */
final class StateRegistrations extends ArrayList<Object> {

    private static final long serialVersionUID = 1L;

    private StateRegistrations(Collection<?> given) {
        super(given);
    }

    /** Puts the registrations of a configuration, which may be none, into a form that mends what is added later. */
    static void mend(Map<String, Object> conf) {
        conf.compute(
                Config.TOPOLOGY_STATE_KRYO_REGISTER,
                (key, given) -> new StateRegistrations(given instanceof Collection<?> some ? some : new ArrayList<>()));
    }

    @Override
    public boolean add(Object registration) {
        return super.add(
                registration.equals(AtomicInteger.class.getName())
                        ? Map.of(AtomicInteger.class.getName(), AtomicIntegerSerializer.class.getName())
                        : registration);
    }
}
