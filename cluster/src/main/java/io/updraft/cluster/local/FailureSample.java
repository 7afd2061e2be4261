package io.updraft.cluster.local;

import io.updraft.cluster.local.ControlMessage.Failed;
import io.updraft.engine.api.ErrorReport;
import java.io.IOException;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.function.Consumer;

/**
 * Reports failures of user code to the coordinator, on a thread of its own. When failures are more frequent than this thread
 * can report, the rest is dropped here and only counted by the engine. The thread that reports a failure never waits.
 */
final class FailureSample implements Consumer<ErrorReport> {
    private static final int MOST_WAITING = 64;
    private static final long PAUSE_MILLIS = 10;

    private final BlockingQueue<ErrorReport> waiting = new ArrayBlockingQueue<>(MOST_WAITING);
    private final ControlChannel control;

    FailureSample(ControlChannel control) {
        this.control = control;
        Thread thread = new Thread(this::tell, "updraft-failures");
        thread.setDaemon(true);
        thread.start();
    }

    @Override
    public void accept(ErrorReport report) {
        waiting.offer(report);
    }

    private void tell() {
        try {
            while (true) {
                control.send(new Failed(waiting.take()));
                Thread.sleep(PAUSE_MILLIS); // at most a hundred failures a second
            }
        } catch (IOException e) {
            // The main thread notices the lost connection as well, and ends the process.
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
