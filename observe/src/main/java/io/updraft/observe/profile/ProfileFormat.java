package io.updraft.observe.profile;

import java.nio.file.Path;
import java.util.Locale;

/** The format of a profile's file, by the ending of its name. */
public enum ProfileFormat {
    /** A flame graph for a browser. */
    HTML,
    /** Flight Recorder's format. */
    JFR,
    /** A line for each stack: the frames, outermost first, and a number. */
    COLLAPSED;

    /**
     * Finds the format of a file.
     *
     * @param file the file
     * @return the format
     */
    public static ProfileFormat of(Path file) {
        for (ProfileFormat format : values()) {
            if (file.toString().endsWith(format.ending())) {
                return format;
            }
        }
        throw new IllegalArgumentException("the name of a profile must end with .html, .jfr or .collapsed: " + file);
    }

    /** {@return the ending of names, with its dot} */
    public String ending() {
        return "." + name().toLowerCase(Locale.ROOT);
    }
}
