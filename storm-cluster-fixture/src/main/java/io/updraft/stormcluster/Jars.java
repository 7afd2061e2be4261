package io.updraft.stormcluster;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.jar.JarOutputStream;
import java.util.zip.ZipEntry;

/** Packs classes into jars: tests run before the build packs them. */
public final class Jars {

    private Jars() {}

    /**
     * Returns the location that a class was loaded from.
     *
     * @param type a class of the class path
     * @return the jar or directory of the class
     */
    public static Path of(Class<?> type) {
        try {
            return Path.of(
                    type.getProtectionDomain().getCodeSource().getLocation().toURI());
        } catch (URISyntaxException e) {
            throw new IllegalStateException("cannot determine where " + type + " was loaded from", e);
        }
    }

    /**
     * Packs a directory into a jar.
     *
     * @param classes the directory, which is the root of packages
     * @param jar the jar to write
     * @return the jar
     */
    public static Path pack(Path classes, Path jar) {
        try (JarOutputStream out = new JarOutputStream(Files.newOutputStream(jar))) {
            for (Path file : Directories.files(classes)) {
                out.putNextEntry(new ZipEntry(classes.relativize(file).toString()));
                Files.copy(file, out);
                out.closeEntry();
            }
            return jar;
        } catch (IOException e) {
            throw new UncheckedIOException("cannot write " + jar, e);
        }
    }
}
