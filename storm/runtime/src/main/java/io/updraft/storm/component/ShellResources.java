package io.updraft.storm.component;

import java.io.IOException;
import java.io.InputStream;
import java.net.JarURLConnection;
import java.net.URISyntaxException;
import java.net.URL;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.jar.JarEntry;
import java.util.jar.JarFile;
import java.util.stream.Stream;

/**
 * The files that subprocesses run: those under {@code resources} in the program's jar, as in Storm, and in jars and directories
 * of the class path. The program's own files take precedence.
 */
public final class ShellResources {
    private static final String PREFIX = "resources/";

    private ShellResources() {}

    /**
     * Copies all files.
     *
     * @param jar the program's jar, if it has one
     * @param loader the class loader for files of the class path
     * @param target an existing directory
     * @throws IOException when a file cannot be read or written; the message names the file
     */
    public static void copy(Optional<Path> jar, ClassLoader loader, Path target) throws IOException {
        Set<URL> places = new LinkedHashSet<>(Collections.list(loader.getResources("resources")));
        List<URL> lastFirst = new ArrayList<>(places);
        Collections.reverse(lastFirst);
        for (URL place : lastFirst) {
            if (place.getProtocol().equals("file")) {
                copyTree(pathOf(place), target);
            } else if (place.openConnection() instanceof JarURLConnection connection) {
                copyJar(pathOf(connection.getJarFileURL()), target);
            }
        }
        if (jar.isPresent()) {
            copyJar(jar.get(), target);
        }
    }

    private static void copyJar(Path jar, Path target) throws IOException {
        try (JarFile file = new JarFile(jar.toFile())) {
            for (JarEntry entry : Collections.list(file.entries())) {
                if (entry.getName().startsWith(PREFIX) && !entry.isDirectory()) {
                    try (InputStream in = file.getInputStream(entry)) {
                        write(in, inside(target, entry.getName().substring(PREFIX.length()), jar));
                    }
                }
            }
        }
    }

    /** Resolves an entry and checks that it stays within the directory. */
    private static Path inside(Path target, String name, Path jar) throws IOException {
        Path file = target.resolve(name).normalize();
        if (!file.startsWith(target)) {
            throw new IOException(jar + ": the entry " + PREFIX + name + " points outside of the resources");
        }
        return file;
    }

    private static void copyTree(Path root, Path target) throws IOException {
        try (Stream<Path> tree = Files.walk(root)) {
            for (Path file : (Iterable<Path>) tree.filter(Files::isRegularFile)::iterator) {
                try (InputStream in = Files.newInputStream(file)) {
                    write(in, target.resolve(root.relativize(file).toString()));
                }
            }
        }
    }

    private static void write(InputStream in, Path file) throws IOException {
        Files.createDirectories(file.getParent());
        Files.copy(in, file, StandardCopyOption.REPLACE_EXISTING);
    }

    private static Path pathOf(URL url) throws IOException {
        try {
            return Path.of(url.toURI());
        } catch (URISyntaxException e) {
            throw new IOException(url + " is not a file", e);
        }
    }
}
