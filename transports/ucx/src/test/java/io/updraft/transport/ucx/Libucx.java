package io.updraft.transport.ucx;

import io.updraft.transport.TransportException;
import io.updraft.transport.TransportOptions;
import java.util.Map;
import java.util.Optional;

/** Whether the system's UCX is installed; without it the tests of this module are skipped. */
final class Libucx {

    private static final Optional<String> WHY_NOT = find();

    private Libucx() {}

    /** Why UCX cannot run here, printed as well, so that a build's log says what it left out. */
    static Optional<String> whyNotHere() {
        return WHY_NOT;
    }

    private static Optional<String> find() {
        TransportOptions options = TransportOptions.of(Map.of());
        try {
            new UcxTransportProvider().create(options).close();
            return Optional.empty();
        } catch (TransportException missing) {
            System.out.println("tests over UCX are skipped: " + missing.getMessage());
            return Optional.of(missing.getMessage());
        }
    }
}
