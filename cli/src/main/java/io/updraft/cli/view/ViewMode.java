package io.updraft.cli.view;

import java.time.ZoneId;

/** The kinds of views of running topologies. */
public enum ViewMode {
    /** Live on a terminal, plain elsewhere. */
    AUTO,
    /** A block that redraws in place. */
    LIVE,
    /** A line for each topology and interval. */
    PLAIN,
    /** Only errors and warnings. */
    NONE;

    /** Set to {@code true} by the launcher when standard output and standard error are terminals. */
    public static final String TERMINAL_PROPERTY = "updraft.terminal";

    /** Opens a view, which the caller must close. A live view draws on standard output. The others write to standard error, so that
     * the program's output can be piped. */
    public TopologyView open() {
        return switch (this) {
            case AUTO -> (isTerminal() ? LIVE : PLAIN).open();
            case LIVE -> new LiveView(System.getenv("NO_COLOR") == null, ZoneId.systemDefault());
            case PLAIN, NONE -> new PlainView(System.err, this == NONE, ZoneId.systemDefault());
        };
    }

    public static boolean isTerminal() {
        return Boolean.getBoolean(TERMINAL_PROPERTY) && !"dumb".equals(System.getenv("TERM"));
    }
}
