package io.updraft.cluster.local;

import io.updraft.cluster.local.ControlMessage.Failed;
import io.updraft.engine.api.ErrorReport;
import java.io.IOException;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.function.Consumer;

/**
 * Tells the coordinator of failures of user code, from a thread of its own. Where there are more than it can tell, the rest
 * is only counted, by the engine: whoever reports a failure is never kept waiting.
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
                Thread.sleep(PAUSE_MILLIS); // a hundred each second are enough for any reader
            }
        } catch (IOException e) {
            // The main thread notices as well, and ends the process.
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
