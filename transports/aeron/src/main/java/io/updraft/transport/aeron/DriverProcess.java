package io.updraft.transport.aeron;

import java.nio.file.Path;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.agrona.concurrent.IdleStrategy;

/**
 * The process of a shared driver, which is part of its folder's name. A client waits very long for a silent driver, because the
 * driver may have been stopped and continued. It does not wait for a driver whose process is dead. Owner only.
 *
 * <p>The process of a driver that another program has started, or of another container, is not known here: it counts as alive.
 */
final class DriverProcess implements IdleStrategy {

    private static final long PAUSE_NANOS = TimeUnit.SECONDS.toNanos(1);
    private static final long PARK_NANOS = 500_000;

    /** Null when the process is not known. The handle distinguishes the process from a later one with the same id. */
    private final ProcessHandle process;

    private long nextLook = System.nanoTime();
    private boolean dead;

    private DriverProcess(ProcessHandle process) {
        this.process = process;
    }

    static DriverProcess of(String folder) {
        return new DriverProcess(find(folder).orElse(null));
    }

    /** {@return whether the folder names a process that does not exist here} */
    static boolean isGone(String folder) {
        return DriverFolder.process(Path.of(folder)).isPresent() && find(folder).isEmpty();
    }

    private static Optional<ProcessHandle> find(String folder) {
        OptionalLong number = DriverFolder.process(Path.of(folder));
        return number.isPresent() ? ProcessHandle.of(number.getAsLong()) : Optional.empty();
    }

    /** {@return whether the process has died; checked once a second} */
    boolean isDead() {
        long now = System.nanoTime();
        if (process != null && !dead && now - nextLook >= 0) {
            nextLook = now + PAUSE_NANOS;
            dead = !process.isAlive();
        }
        return dead;
    }

    /** Waits for the driver's answer; throws when the driver's process is dead. */
    @Override
    public void idle() {
        if (isDead()) {
            throw new IllegalStateException("the process of the media driver is dead");
        }
        LockSupport.parkNanos(PARK_NANOS);
    }

    @Override
    public void idle(int workCount) {
        if (workCount == 0) {
            idle();
        }
    }

    @Override
    public void reset() {}
}
