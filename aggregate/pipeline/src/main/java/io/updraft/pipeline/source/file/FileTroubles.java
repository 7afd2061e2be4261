package io.updraft.pipeline.source.file;

import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import java.util.function.LongSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The files and directories that cannot be read for a while: reports each when the wait begins, each minute, and when it is
 * over. One thread.
 */
final class FileTroubles {

    private static final Logger LOG = LoggerFactory.getLogger(FileTroubles.class);
    private static final long REPORT_NANOS = 60_000_000_000L;
    private static final long RETRY_NANOS = 500_000_000L;

    /** A wait: when it began, when it was reported last, and when to try again. */
    private record Wait(long since, long reported, long next) {}

    private final LongSupplier clock;
    private final Map<Path, Wait> waits = new HashMap<>();

    /** Creates an empty set. The clock is in nanoseconds. */
    FileTroubles(LongSupplier clock) {
        this.clock = clock;
    }

    /** Records that a path cannot be read now. */
    void waitFor(Path path, Exception reason) {
        long now = clock.getAsLong();
        Wait wait = waits.get(path);
        long since = wait == null ? now : wait.since;
        boolean due = wait == null || now - wait.reported >= REPORT_NANOS;
        if (wait == null) {
            LOG.warn("{} cannot be read: {}; waiting for it", path, FileFinder.reason(reason));
        } else if (due) {
            LOG.warn("{} cannot be read for {} s: {}", path, seconds(now - since), FileFinder.reason(reason));
        }
        waits.put(path, new Wait(since, due ? now : wait.reported, now + RETRY_NANOS));
    }

    /** Returns whether it is too early to try again to read a path. */
    boolean isWaiting(Path path) {
        Wait wait = waits.isEmpty() ? null : waits.get(path);
        return wait != null && clock.getAsLong() < wait.next;
    }

    /** Records that a path can be read. */
    void over(Path path) {
        Wait wait = waits.isEmpty() ? null : waits.remove(path);
        if (wait != null) {
            LOG.info("{} can be read again after {} s", path, seconds(clock.getAsLong() - wait.since));
        }
    }

    /** Forgets a path that is no longer read. */
    void forget(Path path) {
        waits.remove(path);
    }

    private static long seconds(long nanos) {
        return nanos / 1_000_000_000L;
    }
}
