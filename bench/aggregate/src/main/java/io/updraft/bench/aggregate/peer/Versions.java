package io.updraft.bench.aggregate.peer;

import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Versions of libraries, by the names of their jars: not all write them into their manifest. */
final class Versions {

    private static final Pattern IN_NAME = Pattern.compile("-([0-9][^/]*)\\.jar$");

    private Versions() {}

    /** {@return the version of the jar that a class is from, or "?" if it is from none} */
    static String of(Class<?> type) {
        Matcher matcher = IN_NAME.matcher(
                type.getProtectionDomain().getCodeSource().getLocation().getPath());
        return matcher.find() ? matcher.group(1) : "?";
    }
}
