package io.updraft.storm.program;

import java.net.URISyntaxException;
import java.net.URL;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;

/**
 * The files of a program's classes that are not on the class path of the process.
 *
 * @param jar the program's jar, if it has one
 * @param libraries jars and directories that are searched after the jar: those of {@code topology.classpath}, and jars that came
 *     with the program's jar
 */
public record ProgramFiles(Optional<Path> jar, List<Path> libraries) {
    public static final ProgramFiles NONE = new ProgramFiles(Optional.empty(), List.of());

    /**
     * Finds the files of the program on whose behalf the calling thread submits a topology, by the thread's context class
     * loader.
     */
    public static ProgramFiles ofCallingThread() {
        return of(Thread.currentThread().getContextClassLoader());
    }

    public static ProgramFiles of(ClassLoader programs) {
        JarClassLoader loader = JarClassLoader.among(programs);
        if (loader == null) {
            return NONE;
        }
        List<Path> all =
                Arrays.stream(loader.getURLs()).map(ProgramFiles::pathOf).toList();
        return loader.hasJar()
                ? new ProgramFiles(Optional.of(all.get(0)), all.subList(1, all.size()))
                : new ProgramFiles(Optional.empty(), all);
    }

    public boolean isEmpty() {
        return jar.isEmpty() && libraries.isEmpty();
    }

    private static Path pathOf(URL file) {
        try {
            return Path.of(file.toURI());
        } catch (URISyntaxException e) {
            throw new IllegalStateException("a program's jar is not a file: " + file, e);
        }
    }
}
