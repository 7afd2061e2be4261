package io.updraft.storm;

import java.net.URISyntaxException;
import java.net.URL;
import java.nio.file.Path;
import java.util.Optional;

/** The jar that a topology's classes come from. */
public final class ProgramJar {
    private ProgramJar() {}

    /**
     * Finds the jar of the program for which the calling thread submits a topology, by its context class loader.
     *
     * @return the jar; empty when the program's classes are on the process' class path
     */
    public static Optional<Path> ofCallingThread() {
        return of(Thread.currentThread().getContextClassLoader());
    }

    /** Finds the jar behind a class loader. */
    static Optional<Path> of(ClassLoader programs) {
        for (ClassLoader loader = programs; loader != null; loader = loader.getParent()) {
            if (loader instanceof JarClassLoader jars && jars.getURLs().length > 0) {
                return Optional.of(pathOf(jars.getURLs()[0]));
            }
        }
        return Optional.empty();
    }

    private static Path pathOf(URL jar) {
        try {
            return Path.of(jar.toURI());
        } catch (URISyntaxException e) {
            throw new IllegalStateException("a program's jar is no file: " + jar, e);
        }
    }
}
