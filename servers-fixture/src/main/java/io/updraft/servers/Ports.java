package io.updraft.servers;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.util.HashSet;
import java.util.Set;
import java.util.concurrent.ThreadLocalRandom;

/**
 * Free ports. They are below the range of ports that the kernel assigns to outgoing connections (32768 and up on Linux). A
 * server listens some time after its port was chosen, and again after each restart. Meanwhile any outgoing connection could
 * take a port of that range. Not thread-safe.
 */
public final class Ports {

    private static final int FIRST = 20_000;
    private static final int LAST = 32_000;
    private static final int ATTEMPTS = 1_000;

    private final Set<Integer> given = new HashSet<>();

    /** Creates a source that has returned no port yet. */
    public Ports() {}

    /** {@return a port that is free now, a different one each time} */
    public int next() {
        for (int i = 0; i < ATTEMPTS; i++) {
            int port = ThreadLocalRandom.current().nextInt(FIRST, LAST);
            if (isFree(port) && given.add(port)) {
                return port;
            }
        }
        throw new IllegalStateException("no free port from " + FIRST + " to " + LAST);
    }

    private static boolean isFree(int port) {
        try (ServerSocket everywhere = new ServerSocket(port);
                ServerSocket another = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            return everywhere.isBound() && another.isBound();
        } catch (IOException taken) {
            return false;
        }
    }
}
