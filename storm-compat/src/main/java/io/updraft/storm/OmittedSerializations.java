package io.updraft.storm;

import com.esotericsoftware.kryo.Kryo;
import com.esotericsoftware.kryo.Registration;
import java.util.List;
import org.apache.storm.serialization.SerializationRegister;
import org.apache.storm.spout.CheckPointState;
import org.apache.storm.streams.Pair;
import org.apache.storm.streams.tuple.Tuple10;
import org.apache.storm.streams.tuple.Tuple3;
import org.apache.storm.streams.tuple.Tuple4;
import org.apache.storm.streams.tuple.Tuple5;
import org.apache.storm.streams.tuple.Tuple6;
import org.apache.storm.streams.tuple.Tuple7;
import org.apache.storm.streams.tuple.Tuple8;
import org.apache.storm.streams.tuple.Tuple9;
import org.objenesis.strategy.StdInstantiatorStrategy;

/**
 * Registers with Kryo what Storm's own components emit and Storm does not register: the actions of checkpoints, with which stateful
 * bolts do not work between workers, and the tuples of the streams API. Found by Storm as a service of its kind, so that every worker
 * has them under the same numbers. Those are far beyond all others, so that classes of a program keep the numbers that they have in Storm:
 * windows that a topology has kept in a store have them in their bytes.
 */
public final class OmittedSerializations implements SerializationRegister {

    /** With this and those that follow a class takes two bytes. */
    private static final int FIRST = 16_000;

    /** Their fields are final, and their constructors take values. */
    private static final List<Class<?>> TUPLES = List.of(
            Pair.class,
            Tuple3.class,
            Tuple4.class,
            Tuple5.class,
            Tuple6.class,
            Tuple7.class,
            Tuple8.class,
            Tuple9.class,
            Tuple10.class);

    /** Called by Storm. */
    public OmittedSerializations() {}

    @Override
    public void register(Kryo kryo) {
        kryo.register(CheckPointState.Action.class, FIRST);
        StdInstantiatorStrategy instantiators = new StdInstantiatorStrategy();
        for (int i = 0; i < TUPLES.size(); i++) {
            Registration registered = kryo.register(TUPLES.get(i), FIRST + 1 + i);
            registered.setInstantiator(instantiators.newInstantiatorOf(TUPLES.get(i)));
        }
    }
}
