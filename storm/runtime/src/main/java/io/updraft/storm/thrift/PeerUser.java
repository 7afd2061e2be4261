package io.updraft.storm.thrift;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.util.Optional;
import java.util.OptionalInt;

/** Finds the user of this host at the other end of a TCP connection. Safe to use from any thread. */
public interface PeerUser {

    /**
     * Returns the user id of the process that opened the other end. Empty if the other end is on another host or was closed:
     * the kernel assigns sockets whose process has closed them to root.
     */
    OptionalInt of(InetSocketAddress peer, InetSocketAddress own) throws IOException;

    /** Returns the fastest implementation that works on this system; empty if none does. */
    static Optional<PeerUser> ofThisHost() {
        try {
            if (SocketDiagnostics.isAvailable()) {
                return Optional.of(new SocketDiagnostics());
            }
        } catch (LinkageError e) {
            // JNA is not on the class path.
        }
        SocketTables tables = new SocketTables(Path.of("/proc/net"));
        return tables.exist() ? Optional.of(tables) : Optional.empty();
    }
}
