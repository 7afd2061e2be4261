package io.updraft.kafka.sink;

import java.time.Duration;

/**
 * The timeout of transactions. It is short at first: after a process dies, readers of committed records wait until its
 * transaction times out. When results take longer, the timeout grows, up to the limit of the brokers.
 */
final class TransactionTimeout {

    /** The brokers' default limit ({@code transaction.max.timeout.ms}). */
    private static final Duration LONGEST = Duration.ofMinutes(15);

    private static final int FACTOR = 4;
    private static final Duration SHORTEST = Duration.ofSeconds(1);

    private Duration time;
    private Duration longest = LONGEST;

    TransactionTimeout(Duration first) {
        time = first;
    }

    Duration get() {
        return time;
    }

    /** Increases the timeout. Returns false if it is at its limit already. */
    boolean grow() {
        Duration next = least(time.multipliedBy(FACTOR), longest);
        boolean grows = next.compareTo(time) > 0;
        if (grows) {
            time = next;
        }
        return grows;
    }

    /** Halves the timeout after the brokers refused it. Returns false if the result is too short. */
    boolean shrink() {
        longest = time.dividedBy(2);
        time = longest;
        return time.compareTo(SHORTEST) >= 0;
    }

    private static Duration least(Duration one, Duration other) {
        return one.compareTo(other) < 0 ? one : other;
    }
}
