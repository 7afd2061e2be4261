package io.updraft.observe.view;

import java.util.Locale;

/**
 * A line about a problem.
 *
 * @param text the line
 * @param style how it is shown: {@code plain}, {@code bottleneck} or {@code bad}
 * @param component the component that it is about; null if it is about the topology as a whole
 */
public record RemarkView(String text, String style, String component) {
    /** A line about a topology as a whole. */
    public RemarkView(String text, Remark.Style style) {
        this(text, style, null);
    }

    /** A line about a component. */
    public RemarkView(String text, Remark.Style style, String component) {
        this(text, style.name().toLowerCase(Locale.ROOT), component);
    }
}
