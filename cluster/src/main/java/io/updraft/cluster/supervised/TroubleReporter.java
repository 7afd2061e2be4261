package io.updraft.cluster.supervised;

import io.updraft.engine.snapshot.CallInProgress;
import io.updraft.engine.snapshot.CallReminders;
import io.updraft.engine.snapshot.EngineSnapshot;
import io.updraft.engine.snapshot.ErrorReport;
import io.updraft.engine.snapshot.HotKey;
import io.updraft.observe.view.HotKeyException;
import io.updraft.observe.view.HotKeyJudge;
import io.updraft.observe.view.StuckCallException;
import java.time.InstantSource;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.Function;
import org.apache.storm.generated.ErrorInfo;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Reports calls that do not return, and hot keys, as errors of their components, so that Nimbus knows them. Each is repeated while
 * it lasts, but rarely; see {@link CallReminders}. Used by one thread.
 */
final class TroubleReporter {
    private static final Logger LOG = LoggerFactory.getLogger(TroubleReporter.class);

    /** Times of errors are whole seconds; so much earlier than its next reminder, a report of another worker is out of date. */
    private static final long ROUNDING_SECONDS = 2;

    private final CallReminders calls = new CallReminders();
    private final HotKeyJudge judge = new HotKeyJudge();
    private final HotKeyReminders hotKeys = new HotKeyReminders();
    private final Consumer<ErrorReport> errors;
    private final Function<String, List<ErrorInfo>> errorsOf;
    private final InstantSource clock;

    /**
     * Creates the reporter.
     *
     * @param errors takes the errors; does not block
     * @param errorsOf reads the newest errors of a component, those of all workers
     */
    TroubleReporter(Consumer<ErrorReport> errors, Function<String, List<ErrorInfo>> errorsOf, InstantSource clock) {
        this.errors = errors;
        this.errorsOf = errorsOf;
        this.clock = clock;
    }

    /** Reports what is due. The engine has logged the calls. */
    void look(EngineSnapshot snapshot) {
        for (CallInProgress call : calls.due(snapshot.calls(), snapshot.uptimeNanos())) {
            report(
                    call.component(),
                    call.task(),
                    call.method(),
                    new StuckCallException(call),
                    "the call is still running");
        }
        for (HotKeyException.Lasting lasting : hotKeys.due(judge.judge(snapshot), snapshot.uptimeNanos())) {
            HotKeyException error = new HotKeyException(lasting);
            LOG.warn("{}", error.toString());
            // All workers that emit to the component see the key. Nimbus keeps only some errors of a component.
            if (!isReported(lasting.key())) {
                report(lasting.key().to(), lasting.key().task(), "grouping", error, "one task gets most tuples");
            }
        }
    }

    private void report(String component, int task, String during, Throwable error, String consequence) {
        errors.accept(new ErrorReport(clock.millis(), component, task, during, error, consequence));
    }

    /** Whether there is a report of this key that its worker need not repeat yet. */
    private boolean isReported(HotKey key) {
        String name = key.name();
        long now = TimeUnit.MILLISECONDS.toSeconds(clock.millis());
        return errorsOf.apply(key.to()).stream()
                .anyMatch(error -> HotKeyException.parse(key.to(), error.get_error())
                        .filter(other -> other.key().name().equals(name))
                        .filter(other -> now - error.get_error_time_secs()
                                < TimeUnit.NANOSECONDS.toSeconds(CallReminders.next(other.nanos()) - other.nanos())
                                        - ROUNDING_SECONDS)
                        .isPresent());
    }
}
