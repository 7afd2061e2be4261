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
    private final JarClassLoader loader;

    private TopologyCode(Path jar, JarClassLoader loader) {
        this.jar = jar;
        this.loader = loader;
    }

    /**
     * Opens a jar, which is removed by {@link #close()}.
     *
     * @param jar the uploaded file
     * @param dependencies other jars of the topology, which stay
     * @throws InvalidTopologyException when it is not a jar
     */
    static TopologyCode open(Path jar, List<Path> dependencies) throws InvalidTopologyException {
        try (JarFile readable = new JarFile(jar.toFile())) {
            readable.size();
        } catch (IOException e) {
            delete(jar);
            throw refusal("the uploaded file is not a jar (" + e.getMessage() + ")", e);
        }
        List<URL> urls = new ArrayList<>();
        try {
            urls.add(jar.toUri().toURL());
            for (Path dependency : dependencies) {
                urls.add(dependency.toUri().toURL());
            }
        } catch (MalformedURLException e) {
            throw refusal(jar + ": is no name of a file", e);
        }
        return new TopologyCode(jar, new JarClassLoader(urls.toArray(URL[]::new), TopologyCode.class.getClassLoader()));
    }

    /** What finds the classes. */
    ClassLoader loader() {
        return loader;
    }

    /** Closes and removes the jar. */
    void close() {
        ProgramLoaders.forget(loader);
        try {
            loader.close();
        } catch (IOException e) {
            throw new UncheckedIOException("could not close " + jar, e);
        } finally {
            delete(jar);
        }
    }

    private static void delete(Path jar) {
        try {
            Files.deleteIfExists(jar);
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
