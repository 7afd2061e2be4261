package io.updraft.console.cluster;

import org.apache.storm.generated.Nimbus;
import org.apache.storm.thrift.TException;

/** Opens connections to Nimbus. */
interface NimbusOpener {
    /**
     * Opens a connection.
     *
     * @throws TException when the leader cannot be reached
     */
    Connection open() throws TException;

    /** {@return where Nimbus is, for messages} */
    String address();

    /**
     * A connection, for one thread at a time.
     *
     * @param nimbus takes the calls
     * @param leader where the leader is that it was opened to, as the cluster knows it: {@code HOST:PORT}
     */
    record Connection(Nimbus.Iface nimbus, String leader, Runnable closing) implements AutoCloseable {
        @Override
        public void close() {
            closing.run();
        }
    }
}
