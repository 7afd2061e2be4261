package io.updraft.kafka.units;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/** The wait between two looks at something that tells nobody when it changes. */
final class Pause {

    private Pause() {}

    static void briefly() {
        LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(2));
    }
}
