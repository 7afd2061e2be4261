package io.updraft.storm.program;

import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.apache.storm.Config;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The entries that a topology adds to the class path of its workers ({@code topology.classpath}). */
public final class TopologyClasspath {
    private static final Logger LOG = LoggerFactory.getLogger(TopologyClasspath.class);
    private static final String ALL_JARS = "*";

    private TopologyClasspath() {}

    /**
     * Reads the entries, in order, from one string with the system's path separator, or a list. An entry may end with an
     * asterisk, for all jars of a directory.
     */
    public static List<String> entries(Map<String, Object> conf) {
        List<String> entries = new ArrayList<>();
        Object value = conf.get(Config.TOPOLOGY_CLASSPATH);
        List<?> all = value == null ? List.of() : value instanceof List<?> list ? list : List.of(value);
        for (Object each : all) {
            for (String entry : String.valueOf(each).split(File.pathSeparator)) {
                if (!entry.isBlank()) {
                    entries.add(entry.strip());
                }
            }
        }
        return entries;
    }

    /** Adds the entries to the class loader of a program's jar. The class path of the JVM itself cannot be extended. */
    public static void addTo(ClassLoader programs, Map<String, Object> conf) {
        List<String> entries = entries(conf);
        JarClassLoader jars = JarClassLoader.among(programs);
        if (jars != null) {
            entries.forEach(entry -> files(entry).forEach(jars::add));
        } else if (!entries.isEmpty()) {
            LOG.warn(
                    "ignoring {} {}: the program is on the JVM's own class path; add the entries there",
                    Config.TOPOLOGY_CLASSPATH,
                    entries);
        }
    }

    /** Returns the files of an entry. Entries that do not exist are ignored, as by the JVM. */
    private static List<Path> files(String entry) {
        Path path = Path.of(entry.endsWith(ALL_JARS) ? entry.substring(0, entry.length() - 1) : entry);
        if (!Files.exists(path)) {
            return List.of();
        }
        return entry.endsWith(ALL_JARS) ? jarsOf(path) : List.of(path);
    }

    private static List<Path> jarsOf(Path directory) {
        List<Path> jars = new ArrayList<>();
        try (DirectoryStream<Path> files = Files.newDirectoryStream(directory, "*.jar")) {
            files.forEach(jars::add);
        } catch (IOException e) {
            throw new UncheckedIOException(Config.TOPOLOGY_CLASSPATH + ": cannot list " + directory, e);
        }
        jars.sort(null);
        return jars;
    }
}
