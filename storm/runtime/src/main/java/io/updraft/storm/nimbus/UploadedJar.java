package io.updraft.storm.nimbus;

import io.updraft.storm.file.FileTree;
import io.updraft.storm.program.DeserializationLoader;
import io.updraft.storm.program.JarClassLoader;
import io.updraft.storm.text.FailureMessages;
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

/**
 * The classes of one uploaded topology: its jar, and a class loader for this topology alone. When the topology has ended, the
 * jar is removed, and nothing here refers to its classes any more.
 */
final class UploadedJar {
    private final Path jar;

    /** The directory of further jars; null if there are none. */
    private final Path dependencies;

    private final JarClassLoader loader;

    private UploadedJar(Path jar, Path dependencies, JarClassLoader loader) {
        this.jar = jar;
        this.dependencies = dependencies;
        this.loader = loader;
    }

    /**
     * Opens an uploaded jar and the further jars of its topology; {@link #close()} removes them.
     *
     * @param jar the uploaded file
     * @param dependencies the directory with the further jars; null if there are none
     * @param names the file names of the further jars, in the order of the class path
     * @throws InvalidTopologyException when the file is not a jar
     */
    static UploadedJar open(Path jar, Path dependencies, List<String> names) throws InvalidTopologyException {
        try (JarFile readable = new JarFile(jar.toFile())) {
            readable.size();
        } catch (IOException e) {
            throw FailureMessages.refusal("the uploaded file is not a jar (" + e.getMessage() + ")", e);
        }
        List<URL> urls = new ArrayList<>();
        try {
            urls.add(jar.toUri().toURL());
            for (String each : names) {
                urls.add(dependencies.resolve(each).toUri().toURL());
            }
        } catch (MalformedURLException e) {
            throw FailureMessages.refusal(jar + ": is not a valid file name", e);
        }
        return new UploadedJar(
                jar, dependencies, new JarClassLoader(urls.toArray(URL[]::new), UploadedJar.class.getClassLoader()));
    }

    /** Returns the class loader of the topology. */
    ClassLoader loader() {
        return loader;
    }

    /** Closes and removes the jars. */
    void close() {
        DeserializationLoader.forget(loader);
        try {
            loader.close();
        } catch (IOException e) {
            throw new UncheckedIOException("cannot close " + jar, e);
        } finally {
            delete(jar, dependencies);
        }
    }

    /** Removes a jar, and the directory of further jars if it is not null. */
    static void delete(Path jar, Path dependencies) {
        try {
            Files.deleteIfExists(jar);
            if (dependencies != null) {
                FileTree.delete(dependencies);
            }
        } catch (IOException e) {
            throw new UncheckedIOException("cannot remove " + jar, e);
        }
    }
}
