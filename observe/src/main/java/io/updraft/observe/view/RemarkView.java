package io.updraft.observe.view;

import java.util.Locale;

/**
 * A line about a problem.
 *
 * @param kind the kind of problem, such as {@code stuck}
 * @param label the word before the text
 * @param text the line without the label; it begins with a blank if it continues the line before
 * @param style how it is shown: {@code plain}, {@code bottleneck} or {@code bad}
 * @param present whether the problem lasts; otherwise the line tells what has happened since the start
 * @param component the component that it is about; null if it is about the whole
 */
public record RemarkView(String kind, String label, String text, String style, boolean present, String component) {
    /** {@return a remark for JSON} */
    public static RemarkView of(Remark remark) {
        return new RemarkView(
                remark.kind().word(),
                remark.kind().label(),
                remark.text(),
                remark.kind().style().name().toLowerCase(Locale.ROOT),
                remark.kind().isPresent(),
                remark.component());
    }
}
