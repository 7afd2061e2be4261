package io.updraft.plugin;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.MalformedURLException;
import java.net.URISyntaxException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Enumeration;
import java.util.List;

/**
 * Loads Updraft's own classes and libraries from a directory, before those of its parent. A topology's jar may therefore
 * contain other versions of these libraries. Storm's classes come from the parent, and are the same for both. The directory only
 * has those that a Storm 2.8 lacks. Safe to use from any thread.
 */
final class LibraryLoader extends URLClassLoader {

    private static final String STORMS = "org.apache.storm.";

    static {
        registerAsParallelCapable();
    }

    private LibraryLoader(URL[] jars, ClassLoader parent) {
        super("updraft", jars, parent);
    }

    /**
     * Creates a loader for the directory {@code updraft} beside the jar of a class.
     *
     * @throws IllegalStateException when there is no such directory, or no jar in it
     */
    static LibraryLoader beside(Class<?> type) {
        Path directory = jarOf(type).resolveSibling("updraft");
        List<URL> jars = new ArrayList<>();
        if (Files.isDirectory(directory)) {
            try (DirectoryStream<Path> files = Files.newDirectoryStream(directory, "*.jar")) {
                for (Path file : files) {
                    jars.add(urlOf(file));
                }
            } catch (IOException e) {
                throw new UncheckedIOException("cannot read " + directory, e);
            }
        }
        if (jars.isEmpty()) {
            throw new IllegalStateException(
                    directory + " has no jars: unpack Updraft's archive into Storm's directory");
        }
        return new LibraryLoader(jars.toArray(URL[]::new), type.getClassLoader());
    }

    private static URL urlOf(Path file) throws MalformedURLException {
        return file.toUri().toURL();
    }

    private static Path jarOf(Class<?> type) {
        try {
            return Path.of(
                    type.getProtectionDomain().getCodeSource().getLocation().toURI());
        } catch (URISyntaxException e) {
            throw new IllegalStateException(e);
        }
    }

    @Override
    protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
        synchronized (getClassLoadingLock(name)) {
            Class<?> found = findLoadedClass(name);
            if (found == null && !name.startsWith(STORMS)) {
                found = findOwn(name);
            }
            if (found == null) {
                return super.loadClass(name, resolve);
            }
            if (resolve) {
                resolveClass(found);
            }
            return found;
        }
    }

    /** Returns null if the directory does not have the class. */
    private Class<?> findOwn(String name) {
        if (name.startsWith("java.")) {
            return null;
        }
        try {
            return findClass(name);
        } catch (ClassNotFoundException e) {
            return null;
        }
    }

    @Override
    public URL getResource(String name) {
        URL own = findResource(name);
        return own == null ? super.getResource(name) : own;
    }

    @Override
    public Enumeration<URL> getResources(String name) throws IOException {
        List<URL> all = new ArrayList<>(Collections.list(findResources(name)));
        if (getParent() != null) {
            all.addAll(Collections.list(getParent().getResources(name)));
        }
        return Collections.enumeration(all);
    }
}
