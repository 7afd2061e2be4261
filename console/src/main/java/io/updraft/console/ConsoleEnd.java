package io.updraft.console;

import io.updraft.http.HttpAnswer;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;

/**
 * The end of this process, as the pages learn it: a process that ends in order waits a moment, so that pages which somebody looks
 * at are told why. Safe to use from any thread.
 */
final class ConsoleEnd {
    /** The header of an answer that says why the process ends, encoded as in a URL. */
    static final String HEADER = "Updraft-End";

    /** A page asks once a second. */
    private static final long WATCHED_NANOS = 2_000_000_000L;

    private static final long TELLING_MILLIS = 1_300;

    private volatile String why;
    private volatile boolean requested;
    private volatile long askedNanos;

    /** Notes that a page has asked. {@return the answer, with the reason if the process ends} */
    HttpAnswer on(HttpAnswer answer) {
        askedNanos = System.nanoTime();
        requested = true;
        String reason = why;
        return reason == null
                ? answer
                : answer.with(
                        HEADER,
                        URLEncoder.encode(reason, StandardCharsets.UTF_8).replace("+", "%20"));
    }

    /** Tells the pages why the process ends. Waits {@value #TELLING_MILLIS} ms if there are some. */
    void tell(String reason) {
        boolean isWatched = requested && System.nanoTime() - askedNanos < WATCHED_NANOS;
        why = reason;
        if (isWatched) {
            try {
                Thread.sleep(TELLING_MILLIS);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        }
    }
}
