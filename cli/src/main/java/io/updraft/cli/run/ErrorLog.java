package io.updraft.cli.run;

import io.updraft.engine.api.ErrorReport;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Logs failures of user code with their stack traces, of the same component and exception one in a second: a bolt that fails
 * on every tuple must not fill the disk.
 */
final class ErrorLog {
    private static final Logger LOG = LoggerFactory.getLogger(ErrorLog.class);
    private static final long PAUSE_MILLIS = 1_000;

    private final Map<String, Kind> kinds = new ConcurrentHashMap<>();

    /** Called on the thread of the failure. */
    void log(String topology, ErrorReport report) {
        String exception =
                report.error() == null ? "" : report.error().getClass().getName();
        Kind kind = kinds.computeIfAbsent(topology + '/' + report.componentId() + '/' + exception, key -> new Kind());
        long skipped = kind.skippedBefore(report.timeMillis());
        if (skipped >= 0) {
            LOG.error(
                    "{}: {}[{}] {}: {}{}",
                    topology,
                    report.componentId(),
                    report.taskId(),
                    report.during(),
                    report.consequence(),
                    skipped == 0 ? "" : " (and " + skipped + " more like it since the last one logged)",
                    report.error());
        }
    }

    /** Failures of one component with one exception. */
    private static final class Kind {
        private final AtomicLong lastMillis = new AtomicLong(Long.MIN_VALUE / 2);
        private final AtomicLong skipped = new AtomicLong();

        /** {@return how many were not logged before this one, or -1 when this one is not to be logged either} */
        long skippedBefore(long nowMillis) {
            long last = lastMillis.get();
            if (nowMillis - last >= PAUSE_MILLIS && lastMillis.compareAndSet(last, nowMillis)) {
                return skipped.getAndSet(0);
            }
            skipped.incrementAndGet();
            return -1;
        }
    }
}
