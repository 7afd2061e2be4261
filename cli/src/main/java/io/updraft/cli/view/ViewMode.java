package io.updraft.cli.view;

import java.time.ZoneId;

/** How the state of running topologies is shown. */
public enum ViewMode {
    /** Live on a terminal, plain elsewhere. */
    AUTO,
    /** A block that redraws itself. */
    LIVE,
    /** A line for each interval. */
    PLAIN,
    /** Nothing but what must be told. */
    NONE;

    /** Set to {@code true} by the launcher when standard output and standard error are terminals. */
    public static final String TERMINAL_PROPERTY = "updraft.terminal";

    /**
     * Opens a view. A live view draws on standard output, the others write to standard error, so that what the program
     * prints can be piped on.
     *
     * @return the view; to be closed
     */
    public View open() {
        return switch (this) {
            case AUTO -> (isTerminal() ? LIVE : PLAIN).open();
            case LIVE -> new LiveView(System.getenv("NO_COLOR") == null, ZoneId.systemDefault());
            case PLAIN -> new PlainView(System.err, ZoneId.systemDefault());
            case NONE -> new QuietView(System.err, ZoneId.systemDefault());
        };
    }

    static boolean isTerminal() {
        return Boolean.getBoolean(TERMINAL_PROPERTY) && !"dumb".equals(System.getenv("TERM"));
    }
}
