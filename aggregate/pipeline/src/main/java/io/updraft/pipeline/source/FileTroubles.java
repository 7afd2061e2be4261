package io.updraft.pipeline.source;

import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import java.util.function.LongSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The files and directories that cannot be read for a while: reports each when the wait begins, each minute, and when it is
 * over. Not thread-safe.
 */
final class FileTroubles {

    private static final Logger LOG = LoggerFactory.getLogger(FileTroubles.class);
    private static final long REPORT_NANOS = 60_000_000_000L;
    private static final long RETRY_NANOS = 500_000_000L;

    /** A wait: for which path, when it began, when it was reported last, and when to try again. */
    private record Wait(Path path, long since, long reported, long next) {}

    private final LongSupplier clock;
    private final Map<Object, Wait> waits = new HashMap<>();

    /** Creates an empty set. The clock is in nanoseconds. */
    FileTroubles(LongSupplier clock) {
        this.clock = clock;
    }

    /** Records that the file or directory at a path cannot be read now. */
    void waitFor(Object subject, Path path, Exception reason) {
        long now = clock.getAsLong();
        Wait wait = waits.get(subject);
        long since = wait == null ? now : wait.since;
        boolean due = wait == null || now - wait.reported >= REPORT_NANOS;
        if (wait == null) {
            LOG.warn("{} cannot be read: {}; waiting for it", path, FileFinder.reason(path, reason));
        } else if (due) {
            LOG.warn("{} cannot be read for {} s: {}", path, seconds(now - since), FileFinder.reason(path, reason));
        }
        waits.put(subject, new Wait(path, since, due ? now : wait.reported, now + RETRY_NANOS));
    }

    /** Returns whether a subject could not be read at the last attempt. */
    boolean has(Object subject) {
        return !waits.isEmpty() && waits.containsKey(subject);
    }

    /** Returns whether it is too early to try again to read a subject. */
    boolean isWaiting(Object subject) {
        Wait wait = waits.isEmpty() ? null : waits.get(subject);
        return wait != null && clock.getAsLong() < wait.next;
    }

    /** Records that a subject can be read. */
    void over(Object subject) {
        end(subject, "{} can be read again after {} s");
    }

    /** Records that a subject is no longer there. */
    void gone(Object subject) {
        end(subject, "{} is gone: no longer waiting for it after {} s");
    }

    private void end(Object subject, String message) {
        Wait wait = waits.isEmpty() ? null : waits.remove(subject);
        if (wait != null) {
            LOG.warn(message, wait.path, seconds(clock.getAsLong() - wait.since));
        }
    }

    private static long seconds(long nanos) {
        return nanos / 1_000_000_000L;
    }
}
