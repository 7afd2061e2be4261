package io.updraft.storm;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.util.Optional;
import java.util.OptionalInt;

/** Which user of this host is at the other end of a TCP connection. Safe to use from any thread. */
interface PeerUser {

    /**
     * Finds the user id of the process that opened the other end. Empty if the other end is on another host, or was closed: the
     * kernel gives the sockets that a process has left behind to root.
     *
     * @param peer the other end's address
     * @param own this end's
     * @throws IOException when the kernel does not answer
     */
    OptionalInt of(InetSocketAddress peer, InetSocketAddress own) throws IOException;

    /** The quickest way to know it that this system has; empty if there is none. */
    static Optional<PeerUser> ofThisHost() {
        try {
            if (SocketDiagnostics.isAvailable()) {
                return Optional.of(new SocketDiagnostics());
            }
        } catch (LinkageError e) {
            // JNA was left out of the class path.
        }
        SocketTables tables = new SocketTables(Path.of("/proc/net"));
        return tables.exist() ? Optional.of(tables) : Optional.empty();
    }
}
