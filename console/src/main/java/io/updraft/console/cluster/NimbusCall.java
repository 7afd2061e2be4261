package io.updraft.console.cluster;

import org.apache.storm.generated.Nimbus;
import org.apache.storm.thrift.TException;

/** A call of Nimbus. Calls that are repeated are equal if they ask the same. */
@FunctionalInterface
interface NimbusCall<T> {
    T on(Nimbus.Iface nimbus) throws TException;

    /** {@return whether the answer never changes, so that it is read once} */
    default boolean isConstant() {
        return false;
    }
}
