package io.updraft.console.cluster;

import java.io.Serial;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.apache.storm.thrift.TException;

/** No connection to the leader of Nimbus can be opened. Nothing has been asked for. */
final class NimbusUnavailableException extends TException {
    @Serial
    private static final long serialVersionUID = 1;

    /** A daemon that cannot be used, and why. */
    record Failure(String address, TException cause) {}

    private final transient List<Failure> failures = new ArrayList<>();

    /** Takes the failures by the addresses of the daemons, in the order of the attempts; there is at least one. */
    NimbusUnavailableException(Map<String, TException> failures) {
        super("no Nimbus", failures.values().iterator().next());
        failures.forEach((address, cause) -> this.failures.add(new Failure(address, cause)));
    }

    List<Failure> failures() {
        return failures;
    }
}
