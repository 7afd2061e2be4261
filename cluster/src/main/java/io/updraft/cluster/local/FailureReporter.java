package io.updraft.cluster.local;

import io.updraft.cluster.control.ControlChannel;
import io.updraft.cluster.control.ControlMessage.UserCodeFailed;
import io.updraft.engine.api.ErrorReport;
import java.io.IOException;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/**
 * Reports failures of user code to the coordinator, on a thread of its own. When failures are more frequent than this thread
 * can report, the rest is dropped here and only counted by the engine. The thread that reports a failure never waits.
 */
final class FailureReporter implements Consumer<ErrorReport> {
    private static final int MAX_WAITING = 64;
    private static final long PAUSE_MILLIS = 10;
    private static final long END_MILLIS = 800;
    /** The end of the queue. */
    private static final ErrorReport END = new ErrorReport(0, null, ErrorReport.NO_TASK, null, null, null);

    private final BlockingQueue<ErrorReport> waiting = new ArrayBlockingQueue<>(MAX_WAITING);
    private final ControlChannel control;
    private final Thread thread;

    FailureReporter(ControlChannel control) {
        this.control = control;
        thread = new Thread(this::sendAll, "updraft-failures");
        thread.setDaemon(true);
        thread.start();
    }

    @Override
    public void accept(ErrorReport report) {
        waiting.offer(report);
    }

    /** Waits until the failures so far are sent, 1.6 s at most. Later ones are dropped. */
    void end() throws InterruptedException {
        if (waiting.offer(END, END_MILLIS, TimeUnit.MILLISECONDS)) {
            thread.join(END_MILLIS);
        }
    }

    private void sendAll() {
        try {
            for (ErrorReport next = waiting.take(); next != END; next = waiting.take()) {
                control.send(new UserCodeFailed(next));
                Thread.sleep(PAUSE_MILLIS); // at most a hundred failures a second
            }
        } catch (IOException e) {
            // The main thread notices the lost connection as well, and ends the process.
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
