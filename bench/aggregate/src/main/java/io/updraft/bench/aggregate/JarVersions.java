package io.updraft.bench.aggregate;

import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Finds versions of libraries in the names of their jars, because not all manifests have a version. */
final class JarVersions {

    private static final Pattern IN_NAME = Pattern.compile("-([0-9][^/]*)\\.jar$");

    private JarVersions() {}

    /** {@return the version of a class's jar, or "?" if the class is not from a jar with a version} */
    static String of(Class<?> type) {
        Matcher matcher = IN_NAME.matcher(
                type.getProtectionDomain().getCodeSource().getLocation().getPath());
        return matcher.find() ? matcher.group(1) : "?";
    }
}
