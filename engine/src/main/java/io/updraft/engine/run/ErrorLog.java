package io.updraft.engine.run;

import io.updraft.engine.api.EngineClock;
import io.updraft.engine.snapshot.ErrorReport;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Keeps the newest failures of user code and passes each to a listener. May be used from any thread. */
final class ErrorLog {

    private static final Logger LOG = LoggerFactory.getLogger(ErrorLog.class);
    private static final int KEPT = 64;

    /** Memory that is released after an OutOfMemoryError, so that the error can be reported. */
    private static final int RESERVE_BYTES = 1 << 20;

    private final EngineClock clock;
    private final Consumer<ErrorReport> listener;
    private byte[] reserve = new byte[RESERVE_BYTES];
    private final Deque<ErrorReport> recent = new ArrayDeque<>();

    /** By component: the number of errors that it has reported itself. */
    private final Map<String, LongAdder> reported = new ConcurrentHashMap<>();

    public ErrorLog(EngineClock clock, Consumer<ErrorReport> listener) {
        this.clock = clock;
        this.listener = listener;
    }

    public ErrorReport report(String component, int task, String during, Throwable error, String consequence) {
        ErrorReport report = new ErrorReport(clock.currentTimeMillis(), component, task, during, error, consequence);
        synchronized (recent) {
            if (recent.size() == KEPT) {
                recent.removeFirst();
            }
            recent.addLast(report);
        }
        new RunningTask(component, task)
                .log(() -> LOG.error("{} of component '{}', task {}: {}", during, component, task, consequence, error));
        try {
            listener.accept(report);
        } catch (RuntimeException e) {
            // This runs in the turn of an executor, which must not end when the listener throws.
            LOG.error("the error listener threw an exception", e);
        }
        return report;
    }

    /**
     * Reports an error that a component has found itself and goes on from. It counts as an error of the component.
     *
     * @param component the component
     * @param task the task
     * @param error the error
     */
    public void reportOwn(String component, int task, Throwable error) {
        reported.computeIfAbsent(component, added -> new LongAdder()).increment();
        report(component, task, "reportError", error, "reported by the component itself");
    }

    /** {@return how many errors a component has reported itself} */
    public long reportedBy(String component) {
        LongAdder count = reported.get(component);
        return count == null ? 0 : count.sum();
    }

    public void releaseReserve() {
        synchronized (recent) {
            reserve = null;
        }
    }

    public List<ErrorReport> recent() {
        synchronized (recent) {
            return new ArrayList<>(recent);
        }
    }
}
