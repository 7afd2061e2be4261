package io.updraft.transport.ucx;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * How much memory this process may lock. RDMA devices need what they touch locked, and a registration that the limit refuses
 * takes the JVM down inside UCX; so it is looked at beforehand.
 */
final class LockedMemory {

    private static final Path LIMITS = Path.of("/proc/self/limits");
    private static final String LINE = "Max locked memory";

    private LockedMemory() {}

    /** {@return the limit in bytes; {@link Long#MAX_VALUE} where there is none or it is not known} */
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
