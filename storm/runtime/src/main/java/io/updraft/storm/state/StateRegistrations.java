package io.updraft.storm.state;

import com.esotericsoftware.kryo.serializers.DefaultSerializers.AtomicIntegerSerializer;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.storm.Config;

/**
 * The value of {@code topology.state.kryo.register} of one instance. Storm's persistent windows add {@link AtomicInteger} to it
 * without a serializer. Kryo would then access private fields of the JDK by reflection, which JDK 17 and later forbid. This
 * list registers Kryo's own serializer for that class instead.
 */
final class StateRegistrations extends ArrayList<Object> {

    private static final long serialVersionUID = 1L;

    private StateRegistrations(Collection<?> given) {
        super(given);
    }

    /** Replaces the registrations of a configuration, if any, by a list that corrects registrations that are added later. */
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
