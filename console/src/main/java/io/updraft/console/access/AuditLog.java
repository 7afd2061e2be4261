package io.updraft.console.access;

import io.updraft.http.HttpQuery;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import java.util.regex.Pattern;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One log line for each action: who, what, and the status of the answer. Of the actions of unknown clients, only {@value
 * #MAX_UNKNOWN} a minute are logged: they must not fill the disk. Safe to use from any thread.
 */
public final class AuditLog {
    /** The name of the logger. */
    public static final String LOGGER = "io.updraft.audit";

    static final int MAX_UNKNOWN = 60;

    private static final Logger LOG = LoggerFactory.getLogger(LOGGER);
    private static final Pattern TOKEN = Pattern.compile("((?:^|[&;])token=)[^&;]*");
    private static final int MAX_BODY = 500;
    private static final int MAX_PATH = 500;
    private static final long MINUTE = TimeUnit.MINUTES.toNanos(1);

    private final LongSupplier nanos;

    /** The start of the minute in which unknown clients are counted; guarded by this. */
    private long minute;

    private int unknown;

    /** The clock is as {@link System#nanoTime()}. */
    AuditLog(LongSupplier nanos) {
        this.nanos = nanos;
        minute = nanos.getAsLong();
    }

    /** Logs an action; the user is null if unknown. */
    void log(String user, boolean admitted, HttpQuery query, int status) {
        int left = admitted ? 1 : leftUnknown();
        if (left > 0) {
            LOG.info("{}", line(user, query, status));
        } else if (left == 0) {
            LOG.info("more actions of unknown clients within this minute are not logged");
        }
    }

    /** Counts an action of an unknown client. Returns how many more may be logged, with this one. */
    private synchronized int leftUnknown() {
        if (nanos.getAsLong() - minute >= MINUTE) {
            minute = nanos.getAsLong();
            unknown = 0;
        }
        unknown = Math.min(unknown + 1, MAX_UNKNOWN + 2);
        return MAX_UNKNOWN + 1 - unknown;
    }

    private static String line(String user, HttpQuery query, int status) {
        InetSocketAddress peer = query.peer();
        String parameters = query.rawParameters().isEmpty()
                ? ""
                : "?" + TOKEN.matcher(query.rawParameters()).replaceAll("$1...");
        String body = new String(query.body(), StandardCharsets.UTF_8);
        return (user == null ? "unknown" : shortened(user, MAX_PATH)) + " from "
                + peer.getAddress().getHostAddress() + ":" + peer.getPort() + ": " + query.method() + " "
                + shortened(query.path() + parameters, MAX_PATH)
                + (body.isEmpty() ? "" : " " + shortened(body, MAX_BODY)) + " -> " + status;
    }

    /**
     * {@return the beginning of a text} Other characters than printable ones of ASCII are escaped.
     *
     * @param text the text
     * @param most the maximum length
     */
    public static String shortened(String text, int most) {
        StringBuilder printable = new StringBuilder();
        for (int i = 0; i < text.length(); i++) {
            char each = text.charAt(i);
            String shown = each == '\n'
                    ? "\\n"
                    : each < ' ' || each > '~' ? String.format("\\u%04x", (int) each) : String.valueOf(each);
            if (printable.length() + shown.length() > most) {
                return printable + "...";
            }
            printable.append(shown);
        }
        return printable.toString();
    }
}
