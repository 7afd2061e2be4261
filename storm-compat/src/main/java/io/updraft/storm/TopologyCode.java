package io.updraft.storm;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.MalformedURLException;
import java.net.URL;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.jar.JarFile;
import org.apache.storm.generated.InvalidTopologyException;
import org.apache.storm.utils.WrappedInvalidTopologyException;

/**
 * The classes of one topology that came over the wire: its jar, and the class loader that nobody else uses. When the
 * topology is gone the jar is removed, and nothing here refers to its classes any more.
 */
final class TopologyCode {
    private final Path jar;

    /** Null if there are none. */
    private final Path dependencies;

    private final JarClassLoader loader;

    private TopologyCode(Path jar, Path dependencies, JarClassLoader loader) {
        this.jar = jar;
        this.dependencies = dependencies;
        this.loader = loader;
    }

    /**
     * Opens a jar, and others of the topology; they are removed by {@link #close()}.
     *
     * @param jar the uploaded file
     * @param dependencies the directory with the others; null if there are none
     * @param names their names, in the order in which classes are looked for
     * @throws InvalidTopologyException when it is not a jar
     */
    static TopologyCode open(Path jar, Path dependencies, List<String> names) throws InvalidTopologyException {
        try (JarFile readable = new JarFile(jar.toFile())) {
            readable.size();
        } catch (IOException e) {
            throw refusal("the uploaded file is not a jar (" + e.getMessage() + ")", e);
        }
        List<URL> urls = new ArrayList<>();
        try {
            urls.add(jar.toUri().toURL());
            for (String each : names) {
                urls.add(dependencies.resolve(each).toUri().toURL());
            }
        } catch (MalformedURLException e) {
            throw refusal(jar + ": is no name of a file", e);
        }
        return new TopologyCode(
                jar, dependencies, new JarClassLoader(urls.toArray(URL[]::new), TopologyCode.class.getClassLoader()));
    }

    /** What finds the classes. */
    ClassLoader loader() {
        return loader;
    }

    /** Closes and removes the jars. */
    void close() {
        ProgramLoaders.forget(loader);
        try {
            loader.close();
        } catch (IOException e) {
            throw new UncheckedIOException("could not close " + jar, e);
        } finally {
            delete(jar, dependencies);
        }
    }

    /** Removes a jar, and the directory of others if it is not null. */
    static void delete(Path jar, Path dependencies) {
        try {
            Files.deleteIfExists(jar);
            if (dependencies != null) {
                Trees.delete(dependencies);
            }
        } catch (IOException e) {
            throw new UncheckedIOException("could not remove " + jar, e);
        }
    }

    private static InvalidTopologyException refusal(String message, Throwable cause) {
        InvalidTopologyException refusal = new WrappedInvalidTopologyException(message);
        refusal.initCause(cause);
        return refusal;
    }
}
