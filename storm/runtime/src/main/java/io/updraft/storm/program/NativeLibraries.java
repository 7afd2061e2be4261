package io.updraft.storm.program;

import io.updraft.storm.file.TemporaryDirectories;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.URL;
import java.net.URLConnection;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * The native libraries of a program's jar. They are searched in the directories that Storm puts on the {@code
 * java.library.path} of its workers: {@code resources/<os>-<arch>}, then {@code resources}. Each library is copied to a
 * temporary directory on first use.
 *
 * <p>Safe to use from any thread.
 */
final class NativeLibraries implements AutoCloseable {
    private static final List<String> PLACES = List.of(
            "resources/" + System.getProperty("os.name").replaceAll("\\s+", "_") + "-" + System.getProperty("os.arch")
                    + "/",
            "resources/");

    private final JarClassLoader loader;
    private final TemporaryDirectories directories = new TemporaryDirectories();
    private final Map<String, String> copies = new HashMap<>();

    NativeLibraries(JarClassLoader loader) {
        this.loader = loader;
    }

    /**
     * Finds a library.
     *
     * @return the path of the copy, the same each time; null if the jar has no such library
     */
    synchronized String find(String file) {
        return copies.computeIfAbsent(file, this::copy);
    }

    private String copy(String file) {
        for (String place : PLACES) {
            URL found = loader.findResource(place + file);
            if (found != null) {
                return copy(found, directories.directory("libraries").resolve(file));
            }
        }
        return null;
    }

    private static String copy(URL from, Path to) {
        try {
            URLConnection connection = from.openConnection();
            connection.setUseCaches(false);
            try (InputStream in = connection.getInputStream()) {
                Files.copy(in, to);
            }
            return to.toString();
        } catch (IOException e) {
            throw new UncheckedIOException("cannot copy the native library " + from + ": " + e.getMessage(), e);
        }
    }

    /** Removes the copies. */
    @Override
    public synchronized void close() {
        directories.close();
    }
}
