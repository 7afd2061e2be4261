package io.updraft.kafka.units;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/** Waits between two checks of a state that sends no notification. */
final class Pause {

    private Pause() {}

    static void briefly() {
        LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(2));
    }
}
