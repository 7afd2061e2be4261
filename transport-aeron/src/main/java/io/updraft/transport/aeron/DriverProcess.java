package io.updraft.transport.aeron;

import java.nio.file.Path;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.agrona.concurrent.IdleStrategy;

/**
 * The process of a shared driver, which its folder names. A client waits very long for a driver that is silent, since it may
 * have been stopped and go on; for one whose process is dead it need not. Owner only.
 *
 * <p>Of a driver that somebody else has started, or that is in another container, no process is known here: it counts as alive.
 */
final class DriverProcess {

    private static final long PAUSE_NANOS = TimeUnit.SECONDS.toNanos(1);

    /** Null when none is known. It tells another process of the same number apart. */
    private final ProcessHandle process;

    private long nextLook = System.nanoTime();
    private boolean dead;

    private DriverProcess(ProcessHandle process) {
        this.process = process;
    }

    static DriverProcess of(String folder) {
        return new DriverProcess(find(folder).orElse(null));
    }

    /** {@return whether the folder names a process that is none of those that are seen here} */
    static boolean isGone(String folder) {
        return DriverFolder.process(Path.of(folder)).isPresent() && find(folder).isEmpty();
    }

    private static Optional<ProcessHandle> find(String folder) {
        OptionalLong number = DriverFolder.process(Path.of(folder));
        return number.isPresent() ? ProcessHandle.of(number.getAsLong()) : Optional.empty();
    }

    /** {@return whether it has died; looks once a second} */
    boolean isDead() {
        long now = System.nanoTime();
        if (process != null && !dead && now - nextLook >= 0) {
            nextLook = now + PAUSE_NANOS;
            dead = !process.isAlive();
        }
        return dead;
    }

    /** {@return how to wait for the driver's answer: throws when none can come any more} */
    IdleStrategy awaiting() {
        return new Awaiting();
    }

    private final class Awaiting implements IdleStrategy {

        private static final long NAP_NANOS = 500_000;

        @Override
        public void idle(int workCount) {
            if (workCount == 0) {
                idle();
            }
        }

        @Override
        public void idle() {
            if (isDead()) {
                throw new IllegalStateException("the process of the media driver is dead");
            }
            LockSupport.parkNanos(NAP_NANOS);
        }

        @Override
        public void reset() {}

        @Override
        public String alias() {
            return "awaiting";
        }
    }
}
