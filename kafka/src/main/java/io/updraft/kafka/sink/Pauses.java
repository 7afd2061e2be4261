package io.updraft.kafka.sink;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/** Waits for what tells nobody when it happens. */
final class Pauses {

    private Pauses() {}

    /** The coordinator's thread takes a turn or two to learn of the generation that the broker knows already. */
    static void untilTheGroupIsKnownAgain() {
        LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(20));
    }
}
