package io.updraft.storm;

import io.updraft.storm.program.DeserializationLoader;
import io.updraft.storm.program.FileTree;
import io.updraft.storm.program.JarClassLoader;
import io.updraft.storm.text.FailureMessages;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.reflect.InvocationHandler;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.net.URL;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.jar.JarFile;
import java.util.stream.Stream;
import org.apache.storm.generated.InvalidTopologyException;
import org.apache.storm.generated.Nimbus;
import org.apache.storm.generated.StormTopology;
import org.apache.storm.generated.SubmitOptions;
import org.apache.storm.generated.TopologyInitialStatus;
import org.apache.storm.thrift.TException;
import org.apache.storm.utils.Utils;
import org.apache.storm.utils.WrappedInvalidTopologyException;

/**
 * The Nimbus of clients of a port, which submit topologies whose classes are not in this process. The client uploads the jar,
 * and the topology gets its own class loader.
 */
final class UploadedSubmissions extends LocalNimbus {
    private final NimbusUploads uploads;
    private final NimbusBlobs blobs;

    UploadedSubmissions(EmbeddedCluster cluster, NimbusAddress address, NimbusUploads uploads, NimbusBlobs blobs) {
        super(cluster, address);
        this.uploads = uploads;
        this.blobs = blobs;
    }

    /** Reports exceptions that Nimbus' interface does not declare to clients in other processes. */
    Nimbus.Iface reporting() {
        InvocationHandler handler = (proxy, method, arguments) -> {
            try {
                return method.invoke(this, arguments);
            } catch (InvocationTargetException e) {
                throw e.getCause() instanceof RuntimeException cause ? failed(method.getName(), cause) : e.getCause();
            }
        };
        return (Nimbus.Iface) Proxy.newProxyInstance(
                LocalNimbus.class.getClassLoader(), new Class<?>[] {Nimbus.Iface.class}, handler);
    }

    @Override
    NimbusBlobs blobs() {
        return blobs;
    }

    @Override
    public String beginFileUpload() throws TException {
        return ask("beginFileUpload", uploads, files -> files.begin("stormjar-", ".jar"));
    }

    @Override
    public void uploadChunk(String location, ByteBuffer chunk) throws TException {
        change("uploadChunk", uploads, files -> files.append(location, chunk));
    }

    @Override
    public void finishFileUpload(String location) throws TException {
        change("finishFileUpload", uploads, files -> files.finish(location));
    }

    @Override
    public void submitTopology(String name, String jarLocation, String jsonConf, StormTopology topology)
            throws TException {
        submitTopologyWithOpts(name, jarLocation, jsonConf, topology, new SubmitOptions(TopologyInitialStatus.ACTIVE));
    }

    @Override
    public void submitTopologyWithOpts(
            String name, String jarLocation, String jsonConf, StormTopology topology, SubmitOptions options)
            throws TException {
        Map<String, Object> conf = Utils.parseJson(jsonConf);
        UploadedJar code = open(name, jarLocation, topology);
        Thread thread = Thread.currentThread();
        ClassLoader before = thread.getContextClassLoader();
        thread.setContextClassLoader(code.loader());
        try {
            cluster().submit(name, conf, topology, options, code::close);
        } catch (TException | RuntimeException | Error e) {
            code.close();
            throw e;
        } finally {
            thread.setContextClassLoader(before);
        }
    }

    private Path jarOf(String name, String location) throws TException {
        try {
            return uploads.take(String.valueOf(location));
        } catch (IOException e) {
            throw new WrappedInvalidTopologyException(
                    "topology '" + name + "' was submitted without its jar: " + e.getMessage());
        }
    }

    /**
     * Opens the uploaded jar and copies of the topology's dependencies. Copies do not change with the blobs, so that workers
     * can start again later.
     */
    private UploadedJar open(String name, String jarLocation, StormTopology topology) throws TException {
        Path jar = jarOf(name, jarLocation);
        Path dependencies = null;
        try {
            List<String> keys = dependenciesOf(topology);
            dependencies = keys.isEmpty() ? null : blobs.link(keys);
            return UploadedJar.open(jar, dependencies, keys);
        } catch (TException | RuntimeException | Error e) {
            UploadedJar.delete(jar, dependencies);
            throw e;
        }
    }

    private static List<String> dependenciesOf(StormTopology topology) {
        List<String> keys = new ArrayList<>();
        if (topology.is_set_dependency_jars()) {
            keys.addAll(topology.get_dependency_jars());
        }
        if (topology.is_set_dependency_artifacts()) {
            keys.addAll(topology.get_dependency_artifacts());
        }
        return keys.stream().distinct().toList();
    }

    /**
     * The classes of one uploaded topology: its jar, and a class loader for this topology alone. When the topology has ended, the
     * jar is removed, and nothing here refers to its classes any more.
     *
     * @param dependencies the directory of further jars; null if there are none
     */
    private record UploadedJar(Path jar, Path dependencies, JarClassLoader loader) {

        /**
         * Opens an uploaded jar and the further jars of its topology, by their names in a directory; {@link #close()} removes
         * them.
         */
        static UploadedJar open(Path jar, Path dependencies, List<String> names) throws InvalidTopologyException {
            try (JarFile readable = new JarFile(jar.toFile())) {
                readable.size();
            } catch (IOException e) {
                throw FailureMessages.refusal("the uploaded file is not a jar (" + e.getMessage() + ")", e);
            }
            URL[] urls = Stream.concat(Stream.of(jar), names.stream().map(each -> dependencies.resolve(each)))
                    .map(JarClassLoader::urlOf)
                    .toArray(URL[]::new);
            return new UploadedJar(jar, dependencies, new JarClassLoader(urls, UploadedJar.class.getClassLoader()));
        }

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
}
