package io.updraft.observe.view;

/**
 * One line about a problem of a topology.
 *
 * @param group the kind of problem: the smaller, the more important
 * @param place the place among the remarks of its group, from 0
 * @param text the line
 * @param style how it is shown
 */
public record Remark(int group, int place, String text, Style style) {
    /** How a remark is shown. */
    public enum Style {
        /** Like other text. */
        PLAIN,
        /** Like what limits the topology. */
        BOTTLENECK,
        /** Like a failure. */
        BAD
    }
}
