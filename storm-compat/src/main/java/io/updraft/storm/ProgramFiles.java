package io.updraft.storm;

import java.net.URISyntaxException;
import java.net.URL;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;

/**
 * Where the classes of a program come from that are not on the process' class path.
 *
 * @param jar the program's jar
 * @param others what lies behind it, jars and directories: those of {@code topology.classpath}, and jars that came with the
 *     program's
 */
public record ProgramFiles(Optional<Path> jar, List<Path> others) {
    /** All is on the class path. */
    public static final ProgramFiles NONE = new ProgramFiles(Optional.empty(), List.of());

    /**
     * Finds the files of the program for which the calling thread submits a topology, by its context class loader.
     *
     * @return the files; none when the program's classes are on the process' class path
     */
    public static ProgramFiles ofCallingThread() {
        return of(Thread.currentThread().getContextClassLoader());
    }

    /** Finds the files behind a class loader. */
    static ProgramFiles of(ClassLoader programs) {
        for (ClassLoader loader = programs; loader != null; loader = loader.getParent()) {
            if (loader instanceof JarClassLoader jars) {
                List<Path> all =
                        Arrays.stream(jars.getURLs()).map(ProgramFiles::pathOf).toList();
                return jars.hasJar()
                        ? new ProgramFiles(Optional.of(all.get(0)), all.subList(1, all.size()))
                        : new ProgramFiles(Optional.empty(), all);
            }
        }
        return NONE;
    }

    /** {@return whether all is on the class path} */
    public boolean isEmpty() {
        return jar.isEmpty() && others.isEmpty();
    }

    private static Path pathOf(URL file) {
        try {
            return Path.of(file.toURI());
        } catch (URISyntaxException e) {
            throw new IllegalStateException("a program's jar is no file: " + file, e);
        }
    }
}
