package io.updraft.engine.run;

import com.sun.management.OperatingSystemMXBean;
import java.lang.management.ManagementFactory;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Whether the machine has cores without work. A thread that does not compute while it does waits for something else than a core:
 * a system call, such as the read of a socket, looks to Java like code that runs.
 */
final class FreeCores {
    private static final long LOOK_NANOS = 500_000_000;
    private static final double FULL = 0.85;
    private static final AtomicLong LAST_LOOK = new AtomicLong(System.nanoTime() - LOOK_NANOS);
    private static volatile boolean free;

    private FreeCores() {}

    /** {@return whether there were free cores in the last half a second; from any thread} */
    static boolean exist() {
        long now = System.nanoTime();
        long last = LAST_LOOK.get();
        if (now - last >= LOOK_NANOS && LAST_LOOK.compareAndSet(last, now)) {
            free = ManagementFactory.getOperatingSystemMXBean() instanceof OperatingSystemMXBean system
                    && isFree(system.getCpuLoad());
        }
        return free;
    }

    /** Returns whether a load leaves room; a negative one, as before the first interval has passed, is unknown. */
    private static boolean isFree(double load) {
        return load >= 0 && load < FULL;
    }
}
