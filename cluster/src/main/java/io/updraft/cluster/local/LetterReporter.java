package io.updraft.cluster.local;

import io.updraft.base.thread.DaemonThreads;
import io.updraft.cluster.local.ControlMessage.DeadLettersChanged;
import io.updraft.engine.snapshot.DeadLetter;
import java.io.IOException;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;

/**
 * Reports new and changed dead letters to the coordinator, which shows them after the end of this process. Runs a thread of its
 * own, because the texts of values are made by user code. Letters that come and go between two reports are left out.
 */
final class LetterReporter {
    private static final long PERIOD_MILLIS = 250;
    private static final long END_MILLIS = 800;

    private final CountDownLatch ending = new CountDownLatch(1);
    private final Supplier<List<DeadLetter>> letters;
    private final Output output;
    private final Thread thread;

    /** The letters at the last report. A changed letter is another object. Used by the reporter's thread. */
    private Set<DeadLetter> reported = Set.of();

    /** Where the reports go to. */
    interface Output {
        void send(DeadLettersChanged report) throws IOException;
    }

    LetterReporter(Supplier<List<DeadLetter>> letters, Output output) {
        this.letters = letters;
        this.output = output;
        thread = DaemonThreads.create("updraft-letters", this::reportAll);
        thread.start();
    }

    /** Reports the last changes and ends the thread, within 0.8 s. */
    void end() throws InterruptedException {
        ending.countDown();
        thread.join(END_MILLIS);
    }

    private void reportAll() {
        try {
            boolean last;
            do {
                last = ending.await(PERIOD_MILLIS, TimeUnit.MILLISECONDS);
                report();
            } while (!last);
        } catch (IOException e) {
            // The main thread notices the lost connection as well, and ends the process.
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private void report() throws IOException {
        List<DeadLetter> all = letters.get();
        List<DeadLetter> changed =
                all.stream().filter(letter -> !reported.contains(letter)).toList();
        if (!changed.isEmpty()) {
            reported = Collections.newSetFromMap(new IdentityHashMap<>());
            reported.addAll(all);
            output.send(new DeadLettersChanged(LetterReports.newest(changed)));
        }
    }
}
