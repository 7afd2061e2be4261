package io.updraft.console.cluster;

import java.io.Serial;
import org.apache.storm.thrift.TException;

/** Nimbus daemons answer, but their leader does not. */
final class NoLeaderException extends TException {
    @Serial
    private static final long serialVersionUID = 1;

    /** Where the leader is that does not answer; null if the daemons know none. */
    private final String address;

    NoLeaderException(Throwable cause) {
        this(null, cause);
    }

    /** The daemons have a leader that cannot be reached, for the given cause. */
    NoLeaderException(String address, Throwable cause) {
        super("no leader", cause);
        this.address = address;
    }

    String address() {
        return address;
    }
}
