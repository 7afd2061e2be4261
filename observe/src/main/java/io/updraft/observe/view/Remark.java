package io.updraft.observe.view;

import java.util.Locale;

/**
 * One line about a problem of a topology or a pipeline.
 *
 * @param kind the kind of problem
 * @param place the place among the remarks of its kind, from 0
 * @param component the component that it is about; null if it is about the whole
 * @param text the line, without the label of its kind
 */
public record Remark(Kind kind, int place, String component, String text) {
    /** How a remark is shown. */
    public enum Style {
        /** Like other text. */
        PLAIN,
        /** Like what limits the topology. */
        BOTTLENECK,
        /** Like a failure. */
        BAD
    }

    /** The kinds of remarks, the most important first. */
    public enum Kind {
        /** The thread of a call is part of a deadlock. */
        DEADLOCK("stuck", Style.BAD, "deadlock"),
        /** A call does not return, or a read or write of a pipeline makes no progress. */
        STUCK("stuck", Style.BAD, "stuck"),
        /** A heap stays nearly full after collections. */
        HEAP_FULL("heap nearly full", Style.BAD, "heap full"),
        /** A worker does not run. */
        WORKER_DOWN("workers", Style.BAD, "worker down"),
        /** Bolts never ack although messages are in flight. */
        NEVER_ACKED("never acked", Style.BAD, "no progress"),
        /** A Storm cluster has not given the topology what it needs. */
        SCHEDULING("scheduling", Style.BAD, "not scheduled"),
        /** Tuples fail now. */
        FAILING("failing", Style.BAD, "failing"),
        /** What limits the topology. */
        BOTTLENECK("bottleneck", Style.BOTTLENECK, ""),
        /** What would change that. */
        ADVICE("advice", Style.PLAIN, ""),
        /** A key overloads a task. */
        HOT_KEY("hot key", Style.BOTTLENECK, ""),
        /** A partition is behind the others. */
        LAG("lag", Style.BOTTLENECK, ""),
        /** A worker was restarted. */
        WORKER_RESTARTED("workers", Style.BAD, ""),
        /** Messages have timed out. */
        TIMED_OUT("timed out since the start", Style.BAD, ""),
        /** Messages were given up. */
        DEAD_LETTERED("dead-lettered", Style.BAD, ""),
        /** User code has thrown or reported exceptions, or records could not be used. */
        ERROR("errors", Style.BAD, ""),
        /** Instances were restarted. */
        RESTARTED("restarts", Style.BAD, ""),
        /** Components are held back. */
        BACK_PRESSURE("back-pressured", Style.PLAIN, ""),
        /** Executors have threads of their own. */
        BLOCKING("blocking (own thread)", Style.PLAIN, ""),
        /** The workers, which all run. */
        WORKERS("workers", Style.PLAIN, ""),
        /** What the figures do not know. */
        NOTE("note", Style.PLAIN, "");

        private final String label;
        private final Style style;
        private final String state;

        Kind(String label, Style style, String state) {
            this.label = label;
            this.style = style;
            this.state = state;
        }

        /** {@return the word before the text} */
        public String label() {
            return label;
        }

        /** {@return how remarks of the kind are shown} */
        public Style style() {
            return style;
        }

        /** {@return what to call the state of a topology with this problem; empty if it still counts as running} */
        public String state() {
            return state;
        }

        /** {@return whether the problem lasts while the remark is shown: other kinds tell what has happened since the start} */
        public boolean isPresent() {
            return !state.isEmpty() || this == BOTTLENECK || this == HOT_KEY || this == LAG;
        }

        /** {@return the kind as it is written in JSON and in labels of figures} */
        public String word() {
            return name().toLowerCase(Locale.ROOT).replace('_', '-');
        }
    }

    /** {@return the line with its label; further lines of a kind are indented, if they continue the first one} */
    public String line() {
        return line(kind.label(), text);
    }

    /**
     * Puts a label before a line, unless the line continues the one before.
     *
     * @param label the label of the kind
     * @param text the line without it
     * @return the line with it
     */
    public static String line(String label, String text) {
        return text.startsWith(" ") ? text : label + ": " + text;
    }
}
