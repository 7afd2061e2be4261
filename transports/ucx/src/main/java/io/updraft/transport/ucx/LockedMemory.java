package io.updraft.transport.ucx;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * The limit of memory that this process may lock. RDMA devices require locked memory, and UCX crashes the JVM when a
 * registration exceeds the limit. The limit is therefore checked beforehand.
 */
final class LockedMemory {

    private static final Path LIMITS = Path.of("/proc/self/limits");
    private static final String LINE = "Max locked memory";

    private LockedMemory() {}

    /** {@return the limit in bytes; {@link Long#MAX_VALUE} if there is none or it is unknown} */
    static long limit() {
        try {
            return limitIn(Files.readString(LIMITS));
        } catch (IOException notLinux) {
            return Long.MAX_VALUE;
        }
    }

    static long limitIn(String limits) {
        return limits.lines()
                .filter(line -> line.startsWith(LINE))
                .map(line -> line.substring(LINE.length()).strip().split("\\s+")[0])
                .mapToLong(soft -> soft.equals("unlimited") ? Long.MAX_VALUE : Long.parseLong(soft))
                .findFirst()
                .orElse(Long.MAX_VALUE);
    }
}
