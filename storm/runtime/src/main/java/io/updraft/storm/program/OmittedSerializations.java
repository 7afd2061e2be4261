package io.updraft.storm.program;

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
 * Registers with Kryo the classes that Storm's own components emit and Storm does not register. These are the actions of
 * checkpoints, which stateful bolts need between workers, and the tuples of the streams API. Storm finds this class as a
 * service, so that every worker has the same class numbers. The numbers are far above all others, so that a program's classes
 * keep their numbers of Storm: the bytes of windows in a store contain these numbers.
 */
public final class OmittedSerializations implements SerializationRegister {

    /** The first class number. Numbers from here on take two bytes. */
    private static final int FIRST = 16_000;

    /** Classes with final fields, whose constructors take values. */
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
