package io.updraft.bench;

import io.updraft.bench.child.ChildMain;
import java.io.File;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.HdrHistogram.Histogram;

/** Finds what a child JVM has to load: Updraft's class path, or Storm's with nothing of Updraft but the bench. */
final class ClassPaths {

    private static final Path IN_BUILD = Path.of("bench", "storm-runtime", "target", "lib");

    private ClassPaths() {}

    /** {@return the class path of this JVM} */
    static String updraft() {
        return System.getProperty("java.class.path");
    }

    /**
     * Puts Storm's class path together.
     *
     * @param library the directory of Storm's jars, or null to look for it from this class's place upwards
     * @return the class path
     */
    static String storm(Path library) {
        Path jars = library == null ? find() : library;
        String[] servers = jars.toFile().list((directory, name) -> name.matches("storm-server-.*\\.jar"));
        if (servers == null || servers.length == 0) {
            throw new UsageError("--storm-lib", jars, "has no storm-server-<version>.jar");
        }
        return String.join(
                File.pathSeparator,
                placeOf(ChildMain.class).toString(),
                placeOf(Histogram.class).toString(),
                jars.resolve("*").toString());
    }

    private static Path find() {
        for (Path at = placeOf(ChildMain.class); at != null; at = at.getParent()) {
            if (Files.isDirectory(at.resolve(IN_BUILD))) {
                return at.resolve(IN_BUILD);
            }
        }
        throw new UsageError(
                "--vs",
                "storm",
                "Storm's jars are not here yet; get them with "
                        + "./mvnw -q -pl bench/storm-runtime package, or name their directory with --storm-lib");
    }

    private static Path placeOf(Class<?> type) {
        try {
            return Path.of(
                    type.getProtectionDomain().getCodeSource().getLocation().toURI());
        } catch (URISyntaxException e) {
            throw new IllegalStateException(e);
        }
    }
}
