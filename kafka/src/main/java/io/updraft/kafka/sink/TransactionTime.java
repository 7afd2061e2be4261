package io.updraft.kafka.sink;

import java.time.Duration;

/**
 * How long a transaction may take. It is short at first: whoever reads what is committed waits for the transaction of a process that died
 * until it is over. Results that take longer get more time, up to what the brokers allow.
 */
final class TransactionTime {

    /** What brokers allow as they are shipped ({@code transaction.max.timeout.ms}). */
    private static final Duration LONGEST = Duration.ofMinutes(15);

    private static final int FACTOR = 4;
    private static final Duration SHORTEST = Duration.ofSeconds(1);

    private Duration time;
    private Duration longest = LONGEST;

    TransactionTime(Duration first) {
        time = first;
    }

    Duration get() {
        return time;
    }

    /** It was too short; false if there is no longer one. */
    boolean grow() {
        Duration next = least(time.multipliedBy(FACTOR), longest);
        boolean grows = next.compareTo(time) > 0;
        if (grows) {
            time = next;
        }
        return grows;
    }

    /** The brokers do not allow that much; false if less would be too little. */
    boolean shrink() {
        longest = time.dividedBy(2);
        time = longest;
        return time.compareTo(SHORTEST) >= 0;
    }

    private static Duration least(Duration one, Duration other) {
        return one.compareTo(other) < 0 ? one : other;
    }
}
